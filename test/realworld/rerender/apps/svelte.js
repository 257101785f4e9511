import { mount } from 'svelte';
import App from './App.svelte';
import { place } from './client.js';

mount(App, { target: place() });
