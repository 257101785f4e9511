// A site with a form. It prints its address, and ends with its standard input.
import http from "node:http";
const site = http.createServer((_, res) => {
  res.setHeader("Content-Type", "text/html").end(`<title>Form</title><input><button onclick="document.title = 'Hello ' + document.querySelector('input').value">Go</button>`);
});
site.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${site.address().port}`));
process.stdin.resume().on("end", () => process.exit());
