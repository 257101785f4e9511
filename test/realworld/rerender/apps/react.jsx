import { createRoot } from 'react-dom/client';
import { place, start } from './client.js';

const root = createRoot(place());
const act = start((page, number) => root.render(<Page key={number} page={page} />));

function Button({ of, type }) {
  return <button type={type ?? 'button'} data-t={of.t} aria-label={of.name} aria-pressed={of.pressed} onClick={type ? undefined : () => act(of)}>{of.label}</button>;
}

const Buttons = ({ list }) => list.map(of => <Button key={of.do} of={of} />);

function Page({ page }) {
  return <>
    <nav aria-label="Main">
      {page.nav.map(of => <a key={of.do} href={'#' + of.do} data-t={of.t} onClick={() => act(of)}>{of.label}</a>)}
    </nav>
    <main>
      <h1>{page.title}</h1>
      <p role="status">{page.message}</p>
      <div><span>Show</span> <Buttons list={page.filters} /></div>
      <Form form={page.form} />
      <table>
        <thead><tr><th></th>{page.sorts.map(of => <th key={of.do}><Button of={of} /></th>)}<th></th></tr></thead>
        <tbody>{page.rows.map(row => <Row key={row.name} row={row} />)}</tbody>
      </table>
      <p>{page.count}</p>
      <h2>People</h2>
      <div className="cards">{page.cards.map(card => <Card key={card.name} card={card} />)}</div>
      <h2>Projects</h2>
      <ul role="tree">{page.tree.map(item => <Item key={item.name} item={item} />)}</ul>
    </main>
    {page.dialog && <Dialog dialog={page.dialog} />}
  </>;
}

function Form({ form }) {
  const submit = event => {
    event.preventDefault();
    act(form.add, event.target);
  };
  return <form onSubmit={submit}>
    <label>New issue <input name="name" data-t={form.name} /></label>
    <label>Person <select name="person" data-t={form.person}>{form.people.map(name => <option key={name}>{name}</option>)}</select></label>
    <Button of={form.add} type="submit" />
  </form>;
}

function Row({ row }) {
  return <tr>
    <td><input type="checkbox" data-t={row.check.t} aria-label={row.check.label} defaultChecked={row.checked} onChange={() => act(row.check)} /></td>
    <td>{row.name}</td><td>{row.state}</td><td>{row.person}</td>
    <td><Buttons list={row.buttons} /></td>
  </tr>;
}

function Card({ card }) {
  return <div className="card">
    <div>{card.name}</div>
    <div>{card.text}</div>
    <div><Buttons list={card.buttons} /></div>
  </div>;
}

function Item({ item }) {
  return <li role="treeitem" aria-expanded={item.expanded}>
    <span>{item.name}</span> <Buttons list={item.buttons} />
    {item.items && <ul role="group">{item.items.map(each => <Item key={each.name} item={each} />)}</ul>}
  </li>;
}

function Dialog({ dialog }) {
  return <div role="dialog" aria-label={dialog.title}>
    <p>{dialog.text}</p>
    <Buttons list={dialog.buttons} />
  </div>;
}
