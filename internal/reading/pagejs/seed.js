// Gives the tab's document the sessionStorage of its origin, unless it has some already. It runs
// before the scripts of the page.
function seed(byOrigin) {
  const items = byOrigin[location.origin];
  if (top !== self || !items || sessionStorage.length) return;
  for (const { name, value } of items) sessionStorage.setItem(name, value);
}
