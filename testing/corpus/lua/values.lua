-- Numbers, strings, tables, metatables, closures, goto.
print(7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, -7.5 % 2, 2 ^ 10, 10 / 4)
print(1 << 62, 1 << 63, 1 << 64, -1 >> 60, ~5, 5 & 3, 5 | 3, 5 ~ 3)
print(math.maxinteger + 1 == math.mininteger, math.mininteger // -1, math.ult(1, -1))
print(0x7fffffffffffffff, 0xffffffffffffffff, 1e308 * 10, -1e308 * 10, 3 | 0, 3.0 | 0)
print(tostring(1e15), tostring(1e16), tostring(0.1), 1e100, 123456.789e3, 2^53)
print(tonumber("0x1p4"), tonumber("  12  "), tonumber("1e1"), tonumber("z", 36), tonumber("8", 8))
print(math.floor(-3.5), math.ceil(-3.5), math.fmod(-7, 3), math.tointeger(3.0), math.type(1), math.type(1.0))
for _, x in ipairs { 0.5, 1, 2, 10, 100, 1e-3 } do
  print(string.format("%.14g %.14g %.14g %.14g %.14g", math.sin(x), math.cos(x), math.exp(-x), math.log(x), math.sqrt(x)))
end
print(string.format("%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%e|%g|%a", 42, 42, 42, 42, 255, 255, 8, 65, 12345.678, 1e-10, 0.5))
print(string.format("%q %q %q", "a\n\0b\"c", 1 / 3, math.mininteger), string.format("%10.3s|%-10s|", "abcdef", "xyz"))
print(#"\u{10FFFF}", "\x41\65\z
       B", 'a\
b')

local text = [[The quick brown fox, 12 years old, jumps over 3 lazy dogs (and 1 cat) at 10:45.]]
for word, number in text:gmatch("(%a+)%D+(%d+)") do print(word, number) end
print(text:gsub("%w+", string.upper))
print(text:gsub("(%w+) (%w+)", "%2 %1", 4))
print(text:gsub("%d+", function(digits) return digits * 2 end))
print(text:gsub("%a+", { quick = "slow", brown = "red", fox = false }))
print(text:find("%((.-)%)"), text:find("lazy", 1, true), text:match("^(%u)%l+"), text:match("()o()"))
print(("x = 1, y = 2"):gsub("(%w+) = (%w+)", "%2 = %1"), ("abc"):rep(3, "-"), ("abc"):reverse(), ("abc"):byte(1, -1))
print(("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%f[%a]%a+%f[%A]"), ("  trim  "):match("^%s*(.-)%s*$") .. "|")
print(utf8.char(228, 8364, 128512), utf8.len("äöü€"), utf8.codepoint("€", 1, -1))
for position, code in utf8.codes("aä€") do io.write(position, ":", code, " ") end
print()
print(string.pack("<i4>i2z", 100, -2, "hello"):byte(1, -1))
print(string.unpack("<i4>i2z", string.pack("<i4>i2z", 100, -2, "hello")))
print(string.pack("<d!8i1i8", 1.5, 1, 2):byte(1, -1))

local list = {}
local seed = 42
local function random()
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed
end
for i = 1, 500 do list[i] = random() % 1000 end
table.sort(list)
print(table.concat(list, " ", 1, 60))
table.sort(list, function(a, b) return a % 10 > b % 10 or a % 10 == b % 10 and a < b end)
print(table.concat(list, " ", 1, 60))
print(pcall(table.sort, list, function(a, b) return true end))
table.insert(list, 1, "first")
table.insert(list, "last")
print(table.remove(list, 1), table.remove(list), #list, select("#", table.unpack(list, 1, 200)))
print(table.concat(table.move({ 1, 2, 3, 4, 5 }, 2, 5, 1), ","), table.pack(1, nil, 3).n)

local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
Vector.__add = function(a, b) return vector(a.x + b.x, a.y + b.y) end
Vector.__mul = function(a, b) return type(b) == "number" and vector(a.x * b, a.y * b) or a.x * b.x + a.y * b.y end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__lt = function(a, b) return a * a < b * b end
Vector.__le = function(a, b) return a * a <= b * b end
Vector.__unm = function(a) return vector(-a.x, -a.y) end
Vector.__len = function(a) return 2 end
Vector.__call = function(self, k) return self.x ^ k + self.y ^ k end
Vector.__concat = function(a, b) return tostring(a) .. " & " .. tostring(b) end
Vector.__tostring = function(a) return "(" .. a.x .. ", " .. a.y .. ")" end
Vector.__close = function(a) print("closed", a) end
local a, b = vector(1, 2), vector(3, 4)
print(tostring(a + b), a * b, tostring(a * 3), a == vector(1, 2), a < b, a <= b, tostring(-a), #a, a(2), a .. b, a .. "s")
do
  local c <close> = vector(9, 9)
  local d <const> = 5
  print("inside", d)
end

local function fibonacci(n) if n < 2 then return n end return fibonacci(n - 1) + fibonacci(n - 2) end
print(fibonacci(22))
local function makers()
  local all = {}
  for i = 1, 5 do
    local x = i * i
    all[i] = { get = function() return x end, add = function(y) x = x + y; return x end }
  end
  return all
end
local all = makers()
for i, one in ipairs(all) do one.add(i) io.write(one.get(), " ") end
print(all[1].add(10), all[1].get(), all[2].get())
local function sum(...)
  local total = 0
  for _, x in ipairs { ... } do total = total + x end
  return total, select("#", ...)
end
print(sum(), sum(1), sum(1, 2, 3), (sum(1, 2, 3)))
for i = 10, 1, -3 do io.write(i, " ") end
for x = 0, 1, 0.25 do io.write(x, " ") end
print()
local i = 1
::again::
if i < 100 then
  i = i * 2
  goto again
end
print(i)
local function deep(n) if n == 0 then return "bottom" end return deep(n - 1) end
print(deep(100000))
return #list
