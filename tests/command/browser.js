// As much of a browser as the page of `explore` asks for: elements that keep what they are told,
// and keys. `node browser.js PAGE WIDTH KEY…` prints what the page shows at first and behind
// each key, as JSON, a line each; the key `slider:5` drags the slider to 5.
"use strict";
const fs = require("node:fs");
const vm = require("node:vm");
const [file, width, ...keys] = process.argv.slice(2);
const page = fs.readFileSync(file, "utf8");
const between = (before, behind) => page.split(before)[1].split(behind)[0];

class Element {
  constructor(tagName) {
    const sizes = { clientWidth: Number(width), clientHeight: 600, offsetTop: 0, offsetHeight: 20, scrollTop: 0 };
    Object.assign(this, { tagName, attributes: {}, children: [], dataset: {}, handlers: {}, textContent: "" }, sizes);
    const words = () => (this.attributes.class || "").split(" ");
    this.classList = {
      contains: (word) => words().includes(word),
      add: (word) => this.setAttribute("class", [...words(), word].join(" ")),
      remove: (word) => this.setAttribute("class", words().filter((it) => it !== word).join(" ")),
    };
  }
  get id() { return this.attributes.id; }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
  }
  getAttribute(name) { return this.attributes[name] ?? null; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener(kind, handler) { (this.handlers[kind] ??= []).push(handler); }
  dispatch(kind, event) { (this.handlers[kind] || []).forEach((handler) => handler(event)); }
  querySelectorAll(selector) {
    const inside = this.children.filter((child) => child instanceof Element);
    return inside.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]);
  }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
  matches(selector) {
    return selector.split(", ").some((one) => {
      const [, tag, word, name, value] = /^(\w*)(?:\.(\w+))?(?:\[([\w-]+)(?:=(\w+))?\])?$/.exec(one);
      return (!tag || this.tagName === tag) && (!word || this.classList.contains(word))
        && (!name || (value === undefined ? name in this.attributes : this.attributes[name] === value));
    });
  }
  showModal() { this.attributes.open = ""; }
  close() { delete this.attributes.open; }
  scrollIntoView() {}
  scrollTo() {}
  focus() {}
}

const elements = new Map([...page.matchAll(/<(\w+)[^>]*? id="([\w-]+)"/g)].map(([, tag, id]) => {
  const made = new Element(tag);
  made.setAttribute("id", id);
  return [id, made];
}));
elements.get("data").textContent = between('<script type="application/json" id="data">', "</script>");
const body = new Element("body");
body.append(...elements.values());
const root = new Element("html");
root.append(body);
const document = Object.assign(root, {
  body, activeElement: body,
  getElementById: (id) => elements.get(id) ?? null,
  createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag),
});
const window = { history: { replaceState() {} } };
const location = { hash: "" };
const matchMedia = (query) => ({ matches: Number(width) <= Number(/max-width: (\d+)px/.exec(query)[1]) });
vm.runInNewContext(between("<script>", "</script>"), {
  document, window, location, matchMedia, URLSearchParams, addEventListener() {},
});

const textOf = (node) => (node instanceof Element ? node.textContent + node.children.map(textOf).join("") : String(node));

function show() {
  const at = (id) => elements.get(id);
  const panes = [...page.matchAll(/<section id="pane-(\w+)"/g)].map(([, id]) => [id, at(id).children.map(textOf).join("\n")]);
  const lines = at("ir").children;
  console.log(JSON.stringify({
    step: at("ticks").children.findIndex((tick) => tick.matches(".now")), steps: Number(at("slider").max), function: at("pick").textContent,
    tab: body.dataset.tab, selected: at("tabs").querySelector("[aria-selected=true]").id,
    lines: lines.length, marked: lines.filter((line) => line.matches(".came, .went")).length,
    blocks: at("cfg").querySelectorAll(".block").length, dialog: document.querySelector("dialog[open]")?.id ?? "",
    panes: Object.fromEntries(panes), tints: at("cfg").querySelectorAll(".block").map((it) => /(\d+)%/.exec(it.attributes.style)[1]),
  }));
}

show();
for (const key of keys) {
  document.querySelector("dialog[open]")?.close();
  const slider = elements.get("slider");
  if (key.startsWith("slider:")) {
    slider.value = key.slice(7);
    slider.dispatch("input", { target: slider });
  } else {
    document.dispatch("keydown", { key, target: body, preventDefault() {}, stopPropagation() {} });
  }
  show();
}
