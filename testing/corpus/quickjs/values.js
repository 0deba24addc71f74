// What the language computes, printed: the tests of the engine itself only assert.
const out = (...values) => console.log(...values.map(show));
function show(value) {
  if (typeof value === "bigint") return value + "n";
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? "-0" : String(value);
  return JSON.stringify(value, (key, inner) => (typeof inner === "bigint" ? inner + "n" : inner));
}

for (const x of [0, -0, 1 / 3, 1e21, 1e-7, 123456789.125, -1.5, 5e-324, 1.7976931348623157e308, NaN, Infinity])
  out(x, Number.isFinite(x) && x.toFixed(3), Number.isFinite(x) && x.toExponential(5), Number.isFinite(x) && x.toPrecision(7), x.toString(2).slice(0, 60), x.toString(36).slice(0, 40), x | 0, x >>> 1);
for (const x of [0.1, 0.5, 1, 2.5, 10, -3.25])
  out(...["sin", "cos", "tan", "atan", "exp", "log1p", "cbrt", "sinh", "tanh", "asinh", "expm1", "round", "trunc", "sign", "fround", "clz32"].map((name) => Math[name](x)));
out(Math.hypot(3, 4), Math.pow(2, 0.5), Math.atan2(1, -1), Math.imul(123456789, 987654321), 7 % -3, -7 % 3, 2 ** 31 | 0, 1 << 31, -1 >>> 28);
out(parseInt("0x1f"), parseFloat("3.14abc"), Number("  12  "), Number("0b101"), Number(""), +"1e1000", parseInt("zz", 36), 0.1 + 0.2);

let factorial = 1n;
for (let i = 1n; i <= 60n; i++) factorial *= i;
out(factorial, factorial / 3n ** 40n, factorial % 1000000007n, -factorial >> 77n, factorial & (1n << 100n) - 1n, (2n ** 200n).toString(16), BigInt.asIntN(64, factorial), BigInt.asUintN(70, -factorial), 10n ** 30n > 1e30, BigInt("0xffffffffffffffffffff"));

const text = "The quick brown fox, born 2019-04-05, jumps over 13 lazy dogs; naïve café 😀 Ωmega";
out(text.replace(/(\w+) (\w+)/g, "$2 $1"), text.match(/\d+/g), text.search(/j/), text.split(/[\s,;]+/), text.replace(/(?<y>\d{4})-(?<m>\d\d)/, "$<m>/$<y>"));
out(text.replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1).toLowerCase()), [...text.matchAll(/(?<=\s)\w{4}(?=\s)/g)].map((m) => m.index + m[0]), /^(?:a+)+$/.test("aaaaaaaaaaaaaaaab"), /(a)|(b)/.exec("b"));
out(/(\d+)\s\1/.exec("12 12"), /[^\x00-\x7f]/gu[Symbol.replace](text, "?"), "x".padStart(5, "ab"), "abc".at(-1), "İ".toLowerCase().length, "ß".toUpperCase(), "\u0041\u030a".normalize("NFC").length, "a-b-c".replaceAll("-", "+"), "ab".localeCompare("b"), [..."😀é"].length, text.codePointAt(71), escape("ä€"), encodeURIComponent("ä€ 😀"));
out(`${[1, [2, [3]]]}`, String.raw`\n${1}`, "abc".substring(2, 0), "abcdef".slice(-3, -1), "a,b".split(""), "  x ".trim() + "|", "abc" < "abd", "10" < "9", "10" < 9);

const numbers = Array.from({ length: 300 }, (_, i) => (i * 7919 + 13) % 1009);
out(numbers.slice().sort().slice(0, 30), numbers.slice().sort((a, b) => b - a).slice(0, 30), numbers.map((x, i) => ({ x: x % 10, i })).sort((a, b) => a.x - b.x).slice(0, 40).map((one) => one.i));
out(numbers.filter((x) => x % 50 === 0), numbers.reduce((a, b) => a + b), numbers.findIndex((x) => x > 1000), numbers.lastIndexOf(13), [3, 1, 2].toSorted(), [1, 2, 3, 4].copyWithin(0, 2), [[1, [2]], [3]].flat(2), [1, , 3], Object.groupBy([1, 2, 3], (x) => (x % 2 ? "odd" : "even")), [1, 2, 3].with(1, 9), numbers.slice(0, 9).toSpliced(2, 3, "x"));
out(new Float32Array([1.1, 2.5, 1e40]), new Uint8ClampedArray([300, -5, 1.5]), new Int16Array([70000, -70000]), new BigUint64Array([-1n]), [...new Uint8Array(new Float64Array([Math.PI]).buffer)], new DataView(new ArrayBuffer(8)).getFloat64(0));
const map = new Map([[NaN, 1], ["k", 2], [0, 3]]), set = new Set(numbers.map((x) => x % 17));
map.delete("k");
map.set(-0, 4);
out([...map], [...set], set.size, Object.entries({ b: 1, 2: 2, a: 3, 1: 4 }), new Set([1, 2, 3]).union(new Set([3, 4])).size);

class Shape {
  #side;
  static count = 0;
  constructor(side) { this.#side = side; Shape.count++; }
  get area() { return this.#side ** 2; }
  static from(...sides) { return sides.map((side) => new this(side)); }
  [Symbol.toPrimitive](hint) { return hint === "string" ? `<${this.#side}>` : this.#side; }
}
class Cube extends Shape { get area() { return super.area * 6; } toString() { return "cube"; } }
out(Shape.from(1, 2, 3).map((shape) => shape.area), new Cube(3).area, `${new Cube(4)}`, new Cube(5) + 1, Shape.count, new Cube(1) instanceof Shape);
function* fibonacci() { let [a, b] = [0n, 1n]; for (;;) { yield a; [a, b] = [b, a + b]; } }
const firsts = [];
for (const one of fibonacci()) { if (firsts.length === 120) break; firsts.push(one); }
out(firsts[119], firsts.filter((_, i) => i % 15 === 0));
const { a, b: { c = 5, ...rest } = {}, ...others } = { a: 1, b: { d: 2, e: 3 }, f: 4, g: 5 };
out(a, c, rest, others, ((x, y = x * 2, ...z) => [x, y, z])(1, undefined, 3, 4), a?.b?.c ?? "none");
const proxy = new Proxy({}, { get: (_, key) => `got ${String(key)}`, has: () => true, ownKeys: () => ["p", "q"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) });
out(proxy.anything, "x" in proxy, Object.keys(proxy), Reflect.ownKeys({ z: 1, [Symbol("s")]: 2 }).length);
for (const bad of ["null.x", "undefinedName", "(void 0)()", "new (class { constructor() { this.#p } #p = 1; })().q.r", "let 1", "BigInt(1.5)", "[].reduce((x) => x)", "'x'.repeat(-1)", "JSON.parse('{a')", "new Array(-1)", "Symbol() + ''", "decodeURI('%')"]) {
  try { out(eval(bad)); } catch (error) { out(bad, error.name, error.message); }
}
function finals(n) { try { if (n) return "tried"; throw new Error("x", { cause: n }); } catch (error) { return error.cause; } finally { if (n > 1) return "final"; } }
out(finals(0), finals(1), finals(2));
let depth = 0;
try { (function deeper() { depth++; deeper(); })(); } catch (error) { out(error.name, depth > 10); }
outer: for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) { if (j === 3) continue outer; if (i === 3) break outer; if (i === j) out(i, j); }
out(new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 250)).toISOString(), Date.parse("2000-01-01T00:00:00Z"), new Date(0).toJSON(), new Date(NaN).getTime(), new Date(8.64e15).toISOString());
out(JSON.stringify({ a: [1, { b: undefined, c: () => 1 }], d: "\u2028\ud800\"", e: new Date(0), f: 1e400 }, null, 2), JSON.parse('[1, 2.5e3, "\\u0041", {"x": null}]', (key, value) => (key === "x" ? "revived" : value)));

function sieve(n) { const composite = new Uint8Array(n + 1); let count = 0; for (let i = 2; i <= n; i++) { if (composite[i]) continue; count++; for (let j = i * i; j <= n; j += i) composite[j] = 1; } return count; }
function mandelbrot() { let lines = ""; for (let y = -1; y <= 1; y += 0.2) { for (let x = -2; x <= 0.6; x += 0.06) { let [r, i, n] = [0, 0, 0]; while (n < 30 && r * r + i * i < 4) { [r, i] = [r * r - i * i + x, 2 * r * i + y]; n++; } lines += " .:-=+*#%@"[n % 10]; } lines += "\n"; } return lines; }
function collatz(limit) { let best = [0, 0]; for (let i = 1; i < limit; i++) { let [n, steps] = [i, 0]; while (n !== 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } if (steps > best[1]) best = [i, steps]; } return best; }
out(sieve(100000), mandelbrot(), collatz(3000));
let checksum = 0;
for (let i = 0; i < 20000; i++) { const object = { i, s: "k" + (i % 50), list: [i, i + 1] }; checksum = (checksum * 31 + object.s.length + object.list[1]) | 0; }
out(checksum);

const order = [];
const later = (name) => new Promise((resolve) => { order.push(name); resolve(name); });
(async () => {
  order.push(await later("first"), await later("second"));
  for await (const one of (async function* () { yield 1; yield later("in generator"); })()) order.push(one);
  const all = await Promise.allSettled([later("x"), Promise.reject(new Error("no")), 3]);
  out(order, all.map((one) => one.status), await Promise.race([new Promise(() => {}), "won"]), await Promise.any([Promise.reject(1), 2]));
})().finally(() => out("done"));
order.push("synchronous");
