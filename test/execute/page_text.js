// Prints what a page of `sbpc explain --html` says, a line per paragraph and row; a cell
// ends with " | ", what stands on lines of its own in it begins with "; ". Pictures and
// bars are left out; of pictures it prints, if that is asked for, what their parts say when
// one points at them, a line each.
//
//   node page_text.js report.html
//   node page_text.js report.html --titles
//
// It runs the page's own script, on as much of a document as that needs.
"use strict";
const page = require("fs").readFileSync(process.argv[2], "utf8");
const [, data] = page.match(/<script type="application\/json"[^>]*>(.*?)<\/script>/s);
const [, script] = page.match(/<script>(.*?)<\/script>/s);

class Element {
  constructor(name, namespaceURI) {
    Object.assign(this, {name, namespaceURI, children: [], textContent: ""});
  }
  setAttribute() {}
  appendChild(child) { this.children.push(child); }
}

const main = new Element("main"), report = new Element("script");
report.textContent = data;
globalThis.document = {
  createElement: (name) => new Element(name),
  createElementNS: (namespace, name) => new Element(name, namespace),
  getElementById: (id) => (id === "report" ? report : main),
};

const before = {h1: "\n", h2: "\n", p: "\n", summary: "\n", tr: "\n", div: "; "};
const behind = {span: " ", td: " | "};
function textOf(element) {
  if (element.name === "svg" || (element.name === "div" && !element.textContent)) return "";
  return (before[element.name] ?? "") + element.textContent +
      element.children.map(textOf).join("") + (behind[element.name] ?? "");
}

(0, eval)(script);
const titlesOf = (element) => [
  ...(element.name === "title" ? [element.textContent] : []),
  ...element.children.flatMap(titlesOf)];
console.log(process.argv[3] === "--titles" ? titlesOf(main).join("\n") : textOf(main));
