// The script of the shop's page: the list of products, the basket, and the checkout in three steps.
const $ = (id) => document.getElementById(id);
const euro = (cents) => `€${(cents / 100).toFixed(2)}`;

const form = $("order");
const steps = [...form.querySelectorAll("fieldset")];
const products = new Map(); // products by id
const basket = new Map(); // number of pieces by product id
let step = 0;
let card = ""; // the last four digits of the card, from the payment frame; "": the payment form is not valid

async function stock() {
  for (const product of await (await fetch("api/products")).json()) products.set(product.id, product);
  $("products").replaceChildren(...[...products.values()].map(tile));
  $("loading").remove();
}

function tile(product) {
  const li = $("product").content.cloneNode(true).firstChild;
  li.querySelector("use").setAttribute("href", "#" + product.id);
  li.querySelector("h2").textContent = product.name;
  li.querySelector("p").textContent = product.about;
  li.querySelector("strong").textContent = euro(product.cents);
  li.querySelector("button").ariaLabel = "Add to basket: " + product.name;
  li.querySelector("button").onclick = () => put(product.id, (basket.get(product.id) ?? 0) + 1);
  return li;
}

function put(id, count) {
  if (count) basket.set(id, count);
  else basket.delete(id);
  $("lines").replaceChildren(...[...basket.keys()].map(line));
  $("empty").hidden = basket.size > 0;
  $("begin").disabled = basket.size === 0;
  showTotal();
}

function line(id) {
  const li = $("line").content.cloneNode(true).firstChild;
  const { name, cents } = products.get(id);
  const count = basket.get(id);
  li.querySelector("span").textContent = `${count} × ${name}, ${euro(count * cents)}`;
  li.querySelector("button").ariaLabel = "Remove " + name;
  li.querySelector("button").onclick = () => put(id, 0);
  return li;
}

function total() {
  let cents = Number(form.querySelector("[name=speed]:checked").dataset.cents);
  for (const [id, count] of basket) cents += count * products.get(id).cents;
  return cents;
}

function showTotal() {
  $("total").textContent = basket.size ? euro(total()) : "";
}

// show shows one of the three parts of the page, and hides the others: shelf, checkout or done.
function show(part) {
  for (const id of ["shelf", "checkout", "done"]) $(id).hidden = id !== part;
  document.querySelector("aside").hidden = part === "done";
  $("begin").hidden = part !== "shelf";
}

function go(to) {
  step = to;
  steps.forEach((fieldset, i) => (fieldset.hidden = i !== step));
  [...$("steps").children].forEach((li, i) => (li.ariaCurrent = i === step ? "step" : null));
  const last = step === steps.length - 1;
  $("next").textContent = last ? "Review order" : "Continue";
  $("next").disabled = last && !card;
  $("problem").textContent = "";
}

function review() {
  const { name, country, speed, date } = answers();
  const place = form.elements.country.querySelector(`[value=${country}]`).textContent;
  $("summary").textContent = `${name}, ${speed} delivery to ${place} on ${date}, ${euro(total())} by card ending in ${card}.`;
  $("confirm").returnValue = ""; // Escape would keep the answer of the last time
  $("confirm").showModal();
}

function answers() {
  return Object.fromEntries(new FormData(form));
}

async function order() {
  const body = JSON.stringify({ ...answers(), terms: form.elements.terms.checked, card, items: Object.fromEntries(basket) });
  const reply = await fetch("api/orders", { method: "POST", body });
  const { error, number, name, cents } = await reply.json();
  if (error) {
    $("problem").textContent = `The order was not placed: ${error}.`;
    return;
  }
  document.title = $("done-title").textContent = `Order #${number} confirmed`;
  show("done");
  $("thanks").textContent = `Thank you, ${name}. Your order of ${euro(cents)} is on its way, in spirit.`;
}

$("begin").onclick = () => (show("checkout"), go(0));
$("back").onclick = () => (step ? go(step - 1) : show("shelf"));
form.onchange = showTotal;
form.noValidate = true; // onsubmit checks only the present step, while the browser would also check hidden steps
form.onsubmit = (event) => {
  event.preventDefault();
  for (const field of steps[step].querySelectorAll("input, select")) if (!field.reportValidity()) return;
  if (step < steps.length - 1) go(step + 1);
  else if (card) review();
};
$("confirm").onclose = () => $("confirm").returnValue === "order" && order();
addEventListener("message", (event) => {
  if (event.origin !== location.origin) return;
  card = event.data.card;
  go(step);
});

stock();
