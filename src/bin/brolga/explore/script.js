"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const TABS = [["ir", "IR"], ["cfg", "CFG"], ["clif", "CLIF"], ["assembly", "Assembly"], ["remarks", "Remarks"], ["passes", "Passes"], ["source", "Source"]];
const state = { function: 0, step: 0, tab: "ir", went: true, place: null, aim: null, zoom: null };

// Elements are made of texts and of each other, never of markup.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ---- What the steps say

const current = () => data.functions[state.function];
const histories = new Map();

// The lines behind each step of a function, with what came and went.
function viewsOf(index) {
  if (histories.has(index)) return histories.get(index);
  let lines = [];
  let flow = null;
  let size = null;
  const views = data.functions[index].steps.map((step) => {
    const view = replay(lines, step, flow, size);
    ({ lines, flow, size } = view);
    return view;
  });
  histories.set(index, views);
  return views;
}

function replay(old, step, flow, size) {
  const changed = Boolean(step.edits);
  const lines = [];
  const shown = [];
  let from = 0, came = 0, went = 0;
  const keep = (count) => {
    for (; count > 0; count--, from++) { lines.push(old[from]); shown.push({ line: old[from], kind: "" }); }
  };
  for (const edit of step.edits || []) {
    if (Array.isArray(edit)) {
      for (const line of edit) { lines.push(line); shown.push({ line, kind: "came" }); }
      came += edit.length;
    } else if (edit < 0) {
      for (let count = -edit; count > 0; count--, from++) shown.push({ line: old[from], kind: "went" });
      went -= edit;
    } else keep(edit);
  }
  keep(old.length - from);
  for (const [number, line] of step.moved || []) {
    lines[number] = line;
    let left = number;
    for (const entry of shown) if (entry.kind !== "went" && left-- === 0) { entry.line = line; break; }
  }
  if (changed) ({ flow = null, size = null } = step);
  return { lines, shown, flow, size, changed, came, went };
}

// What a step is called: the first is the input.
const passOf = (step) => (step === 0 ? null : data.passes[step - 1]);
const nameOf = (step) => (step === 0 ? "input" : data.passes[step - 1].name);
const micro = (time) => (time === undefined ? "" : time < 1000 ? `${time.toFixed(1)} µs` : `${(time / 1000).toFixed(2)} ms`);
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function placeText(index) {
  const part = (frame) => `@${frame.function}${frame.line ? `, ${frame.file ? frame.file + ":" : "line "}${frame.line}` : ""}`;
  return data.places[index].map(part).join(", inlined in ");
}

// The line of the file that a place stands on; nothing if it is of another file.
function sourceLine(index) {
  if (index === null || index === undefined) return null;
  const frame = data.places[index][0];
  return frame.file || !frame.line ? null : frame.line;
}

function samePlace(one, other) {
  if (one === null || other === null || other === undefined) return false;
  const [a, b] = [data.places[one][0], data.places[other][0]];
  return a.line === b.line && a.file === b.file && a.line > 0;
}

// ---- Texts in colours

const WORDS = /("(?:\\.|[^"\\])*")|([;].*$)|(%[\w.]+)|(@[\w.$]+)|(![\w]+)|(?<![\w.%@])(-?(?:0x[\da-f]+|\d[\d.]*(?:e[-+]?\d+)?))(?![\w])|\b(i\d+|f\d+|bf16|ptr|ref|x86_fp80|v\d+x\w+)\b|([A-Za-z_][\w.]*)/g;
const CLASSES = ["", "s", "c", "v", "f", "c", "n", "t", ""];

function coloured(text) {
  const head = /^(?!func|import|local|weak|\})("(?:\\.|[^"\\])*"|[\w.]+)(?=[(:])/.exec(text);
  const parts = [];
  let last = 0;
  if (head) { parts.push(element("span", { class: "b" }, head[0])); last = head[0].length; }
  WORDS.lastIndex = last;
  for (let found; (found = WORDS.exec(text)); ) {
    const kind = found.findIndex((group, index) => index > 0 && group !== undefined);
    if (!CLASSES[kind]) continue;
    parts.push(text.slice(last, found.index), element("span", { class: CLASSES[kind] }, found[0]));
    last = WORDS.lastIndex;
  }
  parts.push(text.slice(last));
  return parts;
}

// A line beside the one whose place it takes: what both begin and end with is not marked.
function compared(text, other) {
  const tokens = (it) => it.match(/[\w%@.]+|\s+|./g) || [];
  const [own, their] = [tokens(text), tokens(other)];
  let head = 0, tail = 0;
  while (head < own.length && own[head] === their[head]) head++;
  while (tail < own.length - head && tail < their.length - head && own.at(-1 - tail) === their.at(-1 - tail)) tail++;
  const middle = own.slice(head, own.length - tail).join("");
  if (!middle || head + tail < 2) return coloured(text);
  const [before, behind] = [own.slice(0, head).join(""), own.slice(own.length - tail).join("")];
  return [...coloured(before), element("mark", {}, middle), ...coloured(behind)];
}

// ---- The panes

// For each line that came, the one that went for it, and the other way round.
function partners(shown) {
  const found = new Map();
  for (let index = 0; index < shown.length; ) {
    if (!shown[index].kind) { index++; continue; }
    const [went, came] = [[], []];
    for (; index < shown.length && shown[index].kind; index++) (shown[index].kind === "went" ? went : came).push(index);
    const one = (list, to) => list.forEach((line, number) => number < to.length && found.set(line, to[number]));
    if (went.length === came.length) { one(went, came); one(came, went); }
  }
  return found;
}

function showText() {
  const view = viewsOf(state.function)[state.step];
  const told = (current().steps[state.step].remarks || []).map((remark) => remark.place);
  const pairs = partners(view.shown);
  const rows = view.shown.map(({ line, kind }, index) => {
    if (kind === "went" && (!state.went || state.step === 0)) return null;
    if (state.step === 0) kind = "";
    const [text, place] = data.lines[line];
    const pair = kind && pairs.has(index) ? data.lines[view.shown[pairs.get(index)].line][0] : null;
    const classes = ["line", kind];
    if (samePlace(state.place, place)) classes.push("chosen");
    if (!kind && told.some((it) => it !== undefined && samePlace(it, place))) classes.push("told");
    if (place !== null) classes.push("placed");
    const number = place === null ? "" : data.places[place][0].line || "";
    const row = element("div", { class: classes.join(" ").trim(), title: place === null ? undefined : placeText(place) },
      element("span", { class: "sign" }, kind === "came" ? "+" : kind === "went" ? "−" : ""),
      element("span", { class: "at" }, String(number)),
      element("span", {}, ...(pair === null ? coloured(text) : compared(text, pair))));
    if (kind !== "went" && /^\S/.test(text)) row.dataset.block = blockName(text);
    if (place !== null) row.addEventListener("click", () => choose(place));
    return row;
  });
  at("ir").replaceChildren(...rows.filter(Boolean));
}

const blockName = (text) => (/^("(?:\\.|[^"\\])*"|[\w.]+)(?=[(:])/.exec(text) || [""])[0];

// Above and below a picture there is room that no edge takes.
const EDGE = 24;

// The blocks in which something came or went.
function changedBlocks(view) {
  const found = new Set();
  let block = "";
  for (const { line, kind } of view.shown) {
    const text = data.lines[line][0];
    if (kind !== "went" && /^\S/.test(text)) block = blockName(text);
    if (kind) found.add(block);
  }
  return found;
}

function showFlow() {
  const view = viewsOf(state.function)[state.step];
  const flow = view.flow === null ? null : data.flows[view.flow];
  if (!flow) {
    at("cfg").replaceChildren(element("p", { class: "note" }, "There is no picture: the function is too large for one."));
    return;
  }
  const changed = view.changed && state.step > 0 ? changedBlocks(view) : new Set();
  const picture = drawn("svg", { viewBox: `0 ${EDGE} ${flow.width} ${flow.height - 2 * EDGE}`, role: "img", "aria-label": `${flow.nodes.length} blocks` });
  flow.edges.forEach((edge) => picture.append(edgePicture(edge)));
  flow.nodes.forEach((node, index) => picture.append(blockPicture(node, index, changed.has(node.name))));
  flow.edges.filter((edge) => edge.label).forEach((edge) => {
    const label = drawn("text", { class: "label", x: edge.label_at[0], y: edge.label_at[1] }, edge.label);
    picture.append(drawn("g", { class: edge.kind === "back" ? "turn" : edge.kind }, label));
  });
  at("cfg").replaceChildren(picture);
  scale();
}

function edgePicture(edge) {
  const [x, y] = edge.tip;
  const kind = edge.kind === "back" ? "turn" : edge.kind;
  const width = (1 + 1.6 * edge.share + (kind === "turn" ? 0.6 : 0)).toFixed(2);
  const group = drawn("g", { class: edge.share < 0.01 ? `${kind} rare` : kind, "stroke-width": width });
  group.append(drawn("path", { d: edge.path }), drawn("path", { d: `M${x - 4},${y - 8} L${x},${y} L${x + 4},${y - 8}` }));
  return group;
}

function blockPicture(node, index, isChanged) {
  const [x, y, width, height] = node.frame;
  const classes = ["block", node.kind, isChanged && "changed", state.aim === node.name && "aimed"].filter(Boolean);
  const tint = Math.min(node.depth * 12, 60);
  const group = drawn("g", { class: classes.join(" "), style: `--fill: color-mix(in srgb, var(--accent) ${tint}%, var(--sheet))` });
  group.append(drawn("rect", { x, y, width, height, rx: 5 }));
  group.append(drawn("text", { class: "title", x: x + 8, y: y + 18 }, node.texts[0]));
  group.append(drawn("text", { class: "size", x: x + 8, y: y + 36 }, node.texts[1]));
  group.append(drawn("title", {}, `${node.name}${node.depth ? `, in ${plural(node.depth, "loop")}` : ""}`));
  group.addEventListener("click", () => aim(index, true));
  return group;
}

function scale() {
  const view = viewsOf(state.function)[state.step];
  const picture = at("cfg").querySelector("svg");
  const flow = view.flow === null ? null : data.flows[view.flow];
  if (!picture || !flow) return;
  const room = at("pane-cfg").clientWidth - 16;
  const fitting = Math.min(1, Math.max(0.45, room / flow.width));
  const zoom = state.zoom ?? fitting;
  picture.setAttribute("width", (flow.width * zoom).toFixed(0));
  picture.setAttribute("height", ((flow.height - 2 * EDGE) * zoom).toFixed(0));
}

function zoomBy(factor) {
  const picture = at("cfg").querySelector("svg");
  if (!picture) return;
  const flow = data.flows[viewsOf(state.function)[state.step].flow];
  state.zoom = factor === null ? null : Math.min(3, Math.max(0.2, (picture.clientWidth / flow.width) * factor));
  scale();
}

// Marks a block, and shows where it stands.
function aim(index, isFollowed) {
  const view = viewsOf(state.function)[state.step];
  const node = view.flow === null ? null : data.flows[view.flow].nodes[index];
  if (!node) return;
  state.aim = node.name;
  if (isFollowed && isNarrow()) go({ tab: "ir" });
  showFlow();
  for (const row of at("ir").querySelectorAll(".aimed")) row.classList.remove("aimed");
  const row = [...at("ir").children].find((it) => it.dataset.block === node.name);
  if (row) { row.classList.add("aimed"); row.scrollIntoView({ block: "nearest" }); }
  const box = at("cfg").querySelector(".aimed");
  if (box) box.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function showCode(id, code) {
  if (code.missing !== undefined) {
    at(id).replaceChildren(element("p", { class: "note" }, `There is none: ${code.missing}`));
    return;
  }
  at(id).replaceChildren(...code.text.split("\n").map((line) => element("div", { class: "line bare" }, element("span", {}, ...coloured(line)))));
}

function showSource() {
  const chosen = sourceLine(state.place);
  const rows = data.source.map((text, index) => {
    const row = element("div", { class: `line plain placed${chosen === index + 1 ? " chosen" : ""}` },
      element("span", { class: "at" }, String(index + 1)), element("span", {}, ...coloured(text)));
    row.addEventListener("click", () => {
      const place = data.places.findIndex((frames) => !frames[0].file && frames[0].line === index + 1);
      choose(place < 0 ? null : place);
    });
    return row;
  });
  at("source").replaceChildren(...rows);
  const row = at("source").querySelector(".chosen");
  if (row) row.scrollIntoView({ block: "nearest" });
}

function showRemarks() {
  const here = [], others = [];
  current().steps.forEach((step, index) => (step.remarks || []).forEach((remark) => (index === state.step ? here : others).push([index, remark])));
  const entry = ([index, remark]) => {
    const place = remark.place === undefined ? "" : placeText(remark.place);
    const chosen = remark.place !== undefined && samePlace(state.place, remark.place) ? " chosen" : "";
    return element("button", { class: `remark ${remark.kind}${chosen}`, onclick: () => { go({ step: index }); choose(remark.place ?? null); } },
      remark.message, element("small", {}, `${remark.pass} · ${remark.kind}${place && ` · ${place}`} · step ${index}`));
  };
  const parts = [element("h2", {}, `Of this step: ${nameOf(state.step)}`)];
  parts.push(...(here.length ? here.map(entry) : [element("p", { class: "quiet" }, "none")]));
  if (others.length) parts.push(element("h2", {}, "Of other steps"), ...others.map(entry));
  at("remarks").replaceChildren(...parts);
}

function showPasses() {
  const views = viewsOf(state.function);
  const steps = current().steps;
  const most = Math.max(...steps.map((step) => step.time || 0), 0.001);
  const isTimed = steps.some((step) => step.time !== undefined);
  const rows = [];
  let stage = "";
  steps.forEach((step, index) => {
    const pass = passOf(index);
    if (pass && pass.stage !== stage) {
      ({ stage } = pass);
      rows.push(element("tr", { class: "stage" }, element("th", { colspan: 5 }, stage.replaceAll("_", " "))));
    }
    rows.push(passRow(index, step, views[index], isTimed, most));
  });
  const head = element("tr", {}, element("th", { class: "number" }, "#"), element("th", {}, "pass"), element("th", { class: "number" }, "lines"),
    element("th", { class: "number" }, "ops"), isTimed ? element("th", { class: "number" }, "time") : null);
  at("passes").replaceChildren(element("table", {}, element("tbody", {}, head, ...rows)), ...countTables(steps));
}

function passRow(index, step, view, isTimed, most) {
  const lines = view.changed && index ? [element("span", { class: "came-ink" }, `+${view.came}`), " ", element("span", { class: "went-ink" }, `−${view.went}`)] : [];
  const bar = element("span", { class: "share wide", style: `width:${Math.round(60 * (step.time || 0) / most)}px` });
  const button = element("button", { onclick: () => go({ step: index }), title: passOf(index)?.reason, tabindex: index === state.step ? 0 : -1 }, nameOf(index));
  return element("tr", { class: view.changed ? "" : "still", "aria-current": index === state.step ? "step" : undefined },
    element("td", { class: "number" }, String(index)), element("td", {}, button), element("td", { class: "number" }, ...lines),
    element("td", { class: "number" }, view.changed && view.size ? String(view.size.instructions) : ""),
    isTimed ? element("td", { class: "number" }, bar, " ", micro(step.time)) : null);
}

// What the passes counted, here and in all, and how long they took in all functions.
function countTables(steps) {
  const table = (title, rows) => (rows.length ? [element("h2", {}, title), element("table", {}, element("tbody", {}, ...rows))] : []);
  const row = (what, count) => element("tr", {}, element("td", {}, what), element("td", { class: "number" }, String(count)));
  const own = (steps[state.step].counts || []).map(([what, count]) => row(what, count));
  const sums = new Map();
  const times = new Map();
  data.functions.forEach((it) => it.steps.forEach((step, index) => {
    if (index === 0) return;
    const { name } = data.passes[index - 1];
    for (const [what, count] of it === current() ? step.counts || [] : []) sums.set(`${name}: ${what}`, (sums.get(`${name}: ${what}`) || 0) + count);
    if (step.time !== undefined) times.set(name, (times.get(name) || 0) + step.time);
  }));
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const slowest = [...times].sort((a, b) => b[1] - a[1]).slice(0, 12);
  return [
    ...table(`Counted by this step, ${nameOf(state.step)}`, own),
    ...table(`Counted in @${current().name}`, [...sums].map(([what, count]) => row(what, count))),
    ...table(`Time in ${data.functions.length === 1 ? "this function" : `all ${data.functions.length} functions`}: ${micro(total)}`,
      slowest.map(([name, time]) => row(name, `${micro(time)} · ${(100 * time / total).toFixed(0)}%`))),
  ];
}

function showHead() {
  const views = viewsOf(state.function);
  const view = views[state.step];
  const step = current().steps[state.step];
  const pass = passOf(state.step);
  at("pick").textContent = `@${current().name}`;
  const slider = at("slider");
  slider.max = String(views.length - 1);
  slider.value = String(state.step);
  slider.setAttribute("aria-valuetext", `${state.step} of ${views.length - 1}: ${nameOf(state.step)}${view.changed || state.step === 0 ? "" : ", nothing changed"}`);
  const size = view.size ? `${plural(view.size.instructions, "op")} in ${plural(view.size.blocks, "block")}` : "";
  const change = state.step === 0 ? [] : view.changed
    ? [element("span", {}, element("span", { class: "came" }, `+${view.came}`), " ", element("span", { class: "went" }, `−${view.went}`), " lines")]
    : [element("span", { class: "quiet" }, "nothing changed")];
  at("now").replaceChildren(element("b", {}, nameOf(state.step)), element("span", { class: "quiet" }, `${state.step} / ${views.length - 1}`),
    ...change, element("span", { class: "quiet" }, size), step.time === undefined ? "" : element("span", { class: "quiet" }, micro(step.time)),
    element("span", { class: "quiet reason", title: pass?.reason }, pass ? pass.reason : "as the file has it"));
  const tall = (it) => `${Math.min(100, 18 + 18 * Math.log2(1 + it.came + it.went)).toFixed(0)}%`;
  at("ticks").replaceChildren(...views.map((it, index) => element("i", {
    class: [index > 0 && it.changed && "changed", index === state.step && "now"].filter(Boolean).join(" "), style: `--tall:${tall(it)}`,
  })));
}

function showTabs() {
  const count = current().steps.reduce((sum, step) => sum + (step.remarks || []).length, 0);
  const shown = state.tab === "ir" && !isNarrow() ? "cfg" : state.tab;
  at("tabs").replaceChildren(...TABS.map(([id, title]) => element("button", {
    role: "tab", id: `tab-${id}`, "aria-selected": String(id === shown), "aria-controls": `pane-${id}`, tabindex: id === shown ? 0 : -1, onclick: () => go({ tab: id }),
  }, title, id === "remarks" && count ? element("sup", {}, String(count)) : null)));
  at("tabs").querySelector("[aria-selected=true]").scrollIntoView({ block: "nearest", inline: "nearest" });
  document.body.dataset.tab = state.tab;
}

// ---- Going about

const isNarrow = () => matchMedia("(max-width: 899px)").matches;

function choose(place) {
  state.place = samePlace(state.place, place) ? null : place;
  showText();
  showSource();
  showRemarks();
  const row = at("ir").querySelector(".chosen");
  if (row) row.scrollIntoView({ block: "nearest" });
}

function showAll() {
  showHead();
  showTabs();
  showText();
  showFlow();
  showRemarks();
  showPasses();
}

function go(change) {
  const isOther = change.function !== undefined && change.function !== state.function;
  const focused = document.activeElement?.id?.startsWith("tab-");
  Object.assign(state, change);
  state.step = Math.min(Math.max(state.step, 0), current().steps.length - 1);
  if (isOther) { state.aim = null; state.place = null; showSource(); showListings(); }
  showAll();
  if (focused) at("tabs").querySelector("[aria-selected=true]").focus();
  if (isOther) at("pane-ir").scrollTo(0, 0);
  if (change.step !== undefined) showFirstChange();
  if (change.tab === "source") showSource();
  const hash = `#f=${encodeURIComponent(current().name)}&s=${state.step}&t=${state.tab}`;
  if (location.hash !== hash) keepPlace(hash);
}

// A page that was opened as a file may not be allowed to.
function keepPlace(hash) {
  try { window.history.replaceState(null, "", hash); } catch { /* The place is then not in the address. */ }
}

function showFirstChange() {
  const pane = at("pane-ir");
  const row = at("ir").querySelector(".came, .went");
  if (!row) return;
  const [top, bottom] = [row.offsetTop - pane.scrollTop, row.offsetTop - pane.scrollTop + row.offsetHeight];
  if (top < 0 || bottom > pane.clientHeight) pane.scrollTop = Math.max(0, row.offsetTop - pane.clientHeight / 3);
}

function showListings() {
  showCode("clif", current().clif);
  showCode("assembly", current().assembly);
}

function changedStep(direction) {
  const views = viewsOf(state.function);
  let step = state.step + direction;
  while (step > 0 && step < views.length && !views[step].changed) step += direction;
  if (step >= 0 && step < views.length) go({ step });
}

function openPicker() {
  at("wanted").value = "";
  listFound(state.function);
  at("picker").showModal();
  at("wanted").focus();
}

function listFound(selected) {
  const wanted = at("wanted").value.trim().replace(/^@/, "").toLowerCase();
  const found = data.functions.map((it, index) => [it, index]).filter(([it]) => it.name.toLowerCase().includes(wanted));
  const chosen = found.some(([, index]) => index === selected) ? selected : found[0]?.[1];
  at("found").replaceChildren(...found.slice(0, 200).map(([it, index]) => {
    const count = it.steps.filter((step, number) => number > 0 && step.edits).length;
    return element("li", { role: "option", "data-index": index, id: `found-${index}`, "aria-selected": String(index === chosen), onclick: () => pick(index) },
      element("span", {}, `@${it.name}`), element("span", { class: "quiet" }, plural(count, "change")));
  }));
  at("wanted").setAttribute("aria-activedescendant", chosen === undefined ? "" : `found-${chosen}`);
  at("found").querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
}

function pick(index) {
  at("picker").close();
  go({ function: index, step: state.step });
}

function pickerKey(event) {
  const options = [...at("found").children];
  const index = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const moves = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in moves) {
    const next = options[(index + moves[event.key] + options.length) % options.length];
    if (next) listFound(Number(next.dataset.index));
  } else if (event.key === "Enter") {
    if (options[index]) pick(Number(options[index].dataset.index));
  } else return;
  event.preventDefault();
}

const KEYS = {
  ArrowLeft: () => go({ step: state.step - 1 }), ArrowRight: () => go({ step: state.step + 1 }),
  j: () => changedStep(1), k: () => changedStep(-1),
  Home: () => go({ step: 0 }), End: () => go({ step: current().steps.length - 1 }),
  f: openPicker, "/": openPicker, "?": () => at("help").showModal(),
  "[": () => go({ function: (state.function + data.functions.length - 1) % data.functions.length }),
  "]": () => go({ function: (state.function + 1) % data.functions.length }),
  d: () => { state.went = !state.went; showText(); },
  "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: () => zoomBy(null),
};
TABS.forEach(([id], index) => { KEYS[index + 1] = () => go({ tab: id }); });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target === at("slider") && /^(Arrow|Home|End|Page)/.test(event.key)) return;
  const action = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});
at("tabs").addEventListener("keydown", (event) => {
  const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!move) return;
  const shown = TABS.filter(([id]) => id !== "ir" || isNarrow()).map(([id]) => id);
  const index = shown.indexOf(at("tabs").querySelector("[aria-selected=true]").id.slice(4));
  go({ tab: shown[(index + move + shown.length) % shown.length] });
  event.preventDefault();
  event.stopPropagation();
});
at("cfg").addEventListener("keydown", (event) => {
  const view = viewsOf(state.function)[state.step];
  const nodes = view.flow === null ? [] : data.flows[view.flow].nodes;
  const index = nodes.findIndex((node) => node.name === state.aim);
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!nodes.length || (!move && event.key !== "Enter")) return;
  aim(move ? (index + (index < 0 && move < 0 ? 0 : move) + nodes.length) % nodes.length : Math.max(index, 0), !move);
  event.preventDefault();
});
at("slider").addEventListener("input", (event) => go({ step: Number(event.target.value) }));
at("ticks").addEventListener("click", (event) => {
  const index = [...at("ticks").children].indexOf(event.target.closest("i"));
  if (index >= 0) go({ step: index });
});
at("back").addEventListener("click", () => changedStep(-1));
at("on").addEventListener("click", () => changedStep(1));
at("pick").addEventListener("click", openPicker);
at("keys").addEventListener("click", () => at("help").showModal());
at("wanted").addEventListener("input", () => listFound(null));
at("picker").addEventListener("keydown", pickerKey);
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}
at("smaller").addEventListener("click", () => zoomBy(0.8));
at("larger").addEventListener("click", () => zoomBy(1.25));
at("fit").addEventListener("click", () => zoomBy(null));
let wasNarrow = isNarrow();
addEventListener("resize", () => {
  if (isNarrow() !== wasNarrow) { wasNarrow = isNarrow(); showTabs(); }
  scale();
});

function begin() {
  at("file").textContent = data.file;
  at("about").textContent = `${data.list} · ${data.target}`;
  at("about").title = at("about").textContent;
  if (data.failure) { at("failure").textContent = data.failure; at("failure").hidden = false; }
  const said = new URLSearchParams(location.hash.slice(1));
  const named = data.functions.findIndex((it) => it.name === said.get("f"));
  state.function = Math.max(named, 0);
  const tab = TABS.find(([id]) => id === said.get("t"));
  if (tab) [state.tab] = tab;
  const step = Number.parseInt(said.get("s") ?? "0", 10);
  state.step = Number.isFinite(step) ? Math.min(Math.max(step, 0), current().steps.length - 1) : 0;
  showSource();
  showListings();
  showAll();
}
begin();
