// What the applications of all frameworks share: they show what the server says, and send it each
// click.

// start has the first page shown, and returns what a click on a control does. It sends what the
// form has, if there is one. The function show gets a page and its number, which differs each time.
export function start(show) {
  let number = 0;
  const act = async (control, form) => {
    const path = control === null ? 'page' : 'act/' + control.do;
    const answer = await fetch(path, { method: 'POST', body: form ? new URLSearchParams(new FormData(form)) : null });
    show(await answer.json(), ++number);
  };
  act(null);
  return act;
}

// place makes the element that a framework shows the page in.
export function place() {
  return document.body.appendChild(document.createElement('div'));
}
