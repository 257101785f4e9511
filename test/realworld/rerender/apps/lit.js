import { html, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { place, start } from './client.js';

const into = place();
const act = start((page, number) => render(keyed(number, all(page)), into));

const press = of => html`<button type="button" data-t=${of.t} aria-label=${of.name ?? nothing} aria-pressed=${of.pressed ?? nothing}
  @click=${() => act(of)}>${of.label}</button>`;

const all = page => html`
  <nav aria-label="Main">
    ${page.nav.map(of => html`<a href=${'#' + of.do} data-t=${of.t} @click=${() => act(of)}>${of.label}</a>`)}
  </nav>
  <main>
    <h1>${page.title}</h1>
    <p role="status">${page.message}</p>
    <div><span>Show</span> ${page.filters.map(press)}</div>
    ${form(page.form)}
    <table>
      <thead><tr><th></th>${page.sorts.map(of => html`<th>${press(of)}</th>`)}<th></th></tr></thead>
      <tbody>${page.rows.map(row)}</tbody>
    </table>
    <p>${page.count}</p>
    <h2>People</h2>
    <div class="cards">${page.cards.map(card)}</div>
    <h2>Projects</h2>
    <ul role="tree">${page.tree.map(item)}</ul>
  </main>
  ${page.dialog ? dialog(page.dialog) : nothing}`;

const form = ({ name, person, people, add }) => {
  const submit = event => {
    event.preventDefault();
    act(add, event.target);
  };
  return html`<form @submit=${submit}>
    <label>New issue <input name="name" data-t=${name}></label>
    <label>Person <select name="person" data-t=${person}>${people.map(each => html`<option>${each}</option>`)}</select></label>
    <button data-t=${add.t}>${add.label}</button>
  </form>`;
};

const row = ({ check, checked, name, state, person, buttons }) => html`<tr>
  <td><input type="checkbox" data-t=${check.t} aria-label=${check.label} .checked=${checked} @change=${() => act(check)}></td>
  <td>${name}</td><td>${state}</td><td>${person}</td>
  <td>${buttons.map(press)}</td>
</tr>`;

const card = ({ name, text, buttons }) => html`<div class="card">
  <div>${name}</div>
  <div>${text}</div>
  <div>${buttons.map(press)}</div>
</div>`;

const item = ({ name, expanded, buttons, items }) => html`<li role="treeitem" aria-expanded=${expanded ?? nothing}>
  <span>${name}</span> ${buttons.map(press)}
  ${items ? html`<ul role="group">${items.map(item)}</ul>` : nothing}
</li>`;

const dialog = ({ title, text, buttons }) => html`<div role="dialog" aria-label=${title}>
  <p>${text}</p>
  ${buttons.map(press)}
</div>`;
