import { createApp, shallowReactive } from 'vue/dist/vue.esm-bundler.js';
import { place, start } from './client.js';

const state = shallowReactive({ page: null, number: 0 });
const act = start((page, number) => Object.assign(state, { page, number }));

const app = createApp({ data: () => ({ state }), template: `<Page v-if="state.page" :key="state.number" :page="state.page" />` });
app.config.globalProperties.act = act;
app.component('Press', {
  props: ['of'],
  template: `<button type="button" :data-t="of.t" :aria-label="of.name" :aria-pressed="of.pressed" @click="act(of)">{{ of.label }}</button>`,
});
app.component('Presses', { props: ['list'], template: `<Press v-for="of in list" :key="of.do" :of="of" />` });
app.component('Item', {
  props: ['item'],
  template: `<li role="treeitem" :aria-expanded="item.expanded">
    <span>{{ item.name }}</span> <Presses :list="item.buttons" />
    <ul v-if="item.items" role="group"><Item v-for="each in item.items" :key="each.name" :item="each" /></ul>
  </li>`,
});
app.component('Page', {
  props: ['page'],
  template: `
    <nav aria-label="Main">
      <a v-for="of in page.nav" :key="of.do" :href="'#' + of.do" :data-t="of.t" @click="act(of)">{{ of.label }}</a>
    </nav>
    <main>
      <h1>{{ page.title }}</h1>
      <p role="status">{{ page.message }}</p>
      <div><span>Show</span> <Presses :list="page.filters" /></div>
      <form @submit.prevent="act(page.form.add, $event.target)">
        <label>New issue <input name="name" :data-t="page.form.name"></label>
        <label>Person <select name="person" :data-t="page.form.person"><option v-for="name in page.form.people" :key="name">{{ name }}</option></select></label>
        <button :data-t="page.form.add.t">{{ page.form.add.label }}</button>
      </form>
      <table>
        <thead><tr><th></th><th v-for="of in page.sorts" :key="of.do"><Press :of="of" /></th><th></th></tr></thead>
        <tbody>
          <tr v-for="row in page.rows" :key="row.name">
            <td><input type="checkbox" :data-t="row.check.t" :aria-label="row.check.label" :checked="row.checked" @change="act(row.check)"></td>
            <td>{{ row.name }}</td><td>{{ row.state }}</td><td>{{ row.person }}</td>
            <td><Presses :list="row.buttons" /></td>
          </tr>
        </tbody>
      </table>
      <p>{{ page.count }}</p>
      <h2>People</h2>
      <div class="cards">
        <div v-for="card in page.cards" :key="card.name" class="card">
          <div>{{ card.name }}</div>
          <div>{{ card.text }}</div>
          <div><Presses :list="card.buttons" /></div>
        </div>
      </div>
      <h2>Projects</h2>
      <ul role="tree"><Item v-for="item in page.tree" :key="item.name" :item="item" /></ul>
    </main>
    <div v-if="page.dialog" role="dialog" :aria-label="page.dialog.title">
      <p>{{ page.dialog.text }}</p>
      <Presses :list="page.dialog.buttons" />
    </div>`,
});
app.mount(place());
