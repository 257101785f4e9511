// Makes the calls of recorded.jsonl, with OpenClaw's agent tool as it is in the package. It
// compares the fields and types of each answer by chela with those of OpenClaw's own server:
// node compare.mjs PACKAGE URL
//
// A field that only chela's answer has is no difference. Differences that docs/from-openclaw.md
// explains are expected; any other one fails.
import fs from "node:fs";
import path from "node:path";
import { serve } from "./site.mjs";

const [openclaw, url] = process.argv.slice(2);
const { createBrowserTool } = await import(path.resolve(openclaw, "dist/extensions/browser/runtime-api.js"));
const tool = createBrowserTool({ sandboxBridgeUrl: url });
const { at, end } = await serve();
const recorded = fs.readFileSync(new URL("recorded.jsonl", import.meta.url), "utf8").trim().split("\n").map((line) => JSON.parse(line));

// What is expected to differ, by the action and the place, and why.
const expected = {
  "open wsUrl": "no debugging port is open",
  "tabs tabs[].wsUrl": "no debugging port is open",
};

// types lists the places of a value, with the type of each. All items of a list have one place.
function types(value, place = "", all = {}) {
  const type = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  all[place] = [...new Set([...(all[place] ?? []), type])];
  if (type === "list") value.forEach((each) => types(each, `${place}[]`, all));
  if (type === "object") for (const [name, each] of Object.entries(value)) types(each, place ? `${place}.${name}` : name, all);
  return all;
}

// blocks describes each block of content as the recording does: its type, and whether it is fenced
// or has a warning.
const blocks = (content) => content.map(({ type, text = "" }) =>
  type + (text.includes("<<<EXTERNAL_UNTRUSTED") ? " fenced" : "") + (text.includes("SECURITY NOTICE") ? " warned" : ""));

// here are the arguments of a recorded call for this site. An act by a selector is made by the ref of that link, as chela takes no
// other.
async function here(args) {
  const text = JSON.stringify(args).replaceAll("http://127.0.0.1:18500/\"", at("/index\"")).replaceAll("http://127.0.0.1:18500", at(""));
  const selector = /"selector":"a\[href=.*?\]"/;
  if (!selector.test(text)) return JSON.parse(text);
  const { content } = await tool.execute("look", { action: "snapshot", targetId: args.targetId });
  const [, ref] = content[0].text.match(/link .*?\[ref=(\w+)\]/);
  return JSON.parse(text.replace(selector, `"ref":"${ref}"`));
}

// answer is what a call brings, in the form of the recording.
async function answer(args) {
  try {
    const { content, details } = await tool.execute("compare", args);
    return { content: blocks(content), details };
  } catch (error) {
    return { error: error.message };
  }
}

// differences lists in which places an answer is not as it was recorded.
function differences(was, is) {
  if (was.error || is.error) {
    const text = (error = "none") => error.replace(/^Error: /, "").replaceAll(process.env.OPENCLAW_STATE_DIR, "<state>");
    return text(was.error) === text(is.error) ? [] : [["error", `${text(was.error)} -> ${text(is.error)}`]];
  }
  const before = types(was.details), now = types(is.details);
  const places = Object.keys(before).filter((place) => before[place].some((type) => !now[place]?.includes(type)));
  const all = places.map((place) => [place, `${before[place]} -> ${now[place] ?? "missing"}`]);
  const shown = was.content.join(), shows = is.content.join();
  return shown === shows ? all : [...all, ["content", `${shown} -> ${shows}`]];
}

let same = 0, unexpected = 0;
for (const was of recorded) {
  const found = differences(was, await answer(await here(was.args)));
  same += found.length === 0;
  console.log(`${found.length === 0 ? "same     " : "different"} ${JSON.stringify(was.args)}`);
  for (const [place, how] of found) {
    const why = expected[`${was.args.action} ${place}`];
    unexpected += !why;
    console.log(`          ${place || "details"}: ${how}${why ? ` (${why})` : " (NOT EXPECTED)"}`);
  }
}
await tool.execute("stop", { action: "stop" });
end();
console.log(`OpenClaw's recorded calls: ${same} of ${recorded.length} have the same fields and types, ${unexpected} unexpected differences`);
process.exit(unexpected ? 1 : 0);
