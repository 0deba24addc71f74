-- Errors, coroutines, garbage, loading, and what C calls and is called by.
local function level3(x) error(x, 2) end
local function level2(x) level3(x) end
print(pcall(level2, "text"), pcall(level2, { code = 5 }), (select(2, pcall(level2, nil))))
print(xpcall(level2, function(message) return "handled " .. tostring(message) end, "text"))
print(pcall(function() return nil + 1 end))
print(pcall(function() local t; t.x = 1 end))
print(pcall(function() return #5 end))
print(pcall(function() return {} < {} end))
print(pcall(function() return 1 < "2" end))
print(pcall(function() return 1 // 0 end))
print(pcall(function() return 1 % 0 end), 1 // 0.0, 1 % math.huge)
print(pcall(function() return ("x"):bad() end))
print(pcall(string.rep, "x", -1), pcall(string.rep), pcall(string.format, "%d", 1.5))
print(pcall(setmetatable, 1, {}))
print(pcall(error), select("#", pcall(error)))
local function overflow() return 1 + overflow() end
local ok, message = pcall(overflow)
print(ok, (message:match("stack overflow")))
print(pcall(string.gsub, "x", "(", ""), pcall(string.find, "x", "[a"))

local function nested(depth)
  local ok, value = pcall(function()
    if depth == 0 then error("deepest", 0) end
    error(nested(depth - 1) .. "<" .. depth, 0)
  end)
  return value
end
print(nested(20))

local function generate(n)
  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i, i * i) end return "done" end)
end
for i, square in generate(5) do
  if not square then break end
  io.write(i, ":", square, " ")
end
print()
local co = coroutine.create(function(a, b)
  print("start", a, b, coroutine.isyieldable(), coroutine.status(coroutine.running()))
  local c = coroutine.yield(a + b)
  local d, e = coroutine.yield(c * 2)
  local ok, caught = pcall(function() coroutine.yield("in pcall") error("thrown after a yield", 0) end)
  print("caught", ok, caught)
  error({ d + e })
end)
print(coroutine.resume(co, 1, 2))
print(coroutine.resume(co, 10))
print(coroutine.resume(co, 3, 4))
local ok, object = coroutine.resume(co)
print(ok, object[1], coroutine.status(co), coroutine.resume(co))
print(coroutine.close(co), coroutine.close(coroutine.create(print)))

local function permutations(list, n)
  n = n or #list
  if n <= 1 then coroutine.yield(list) end
  for i = 1, n do
    list[n], list[i] = list[i], list[n]
    permutations(list, n - 1)
    list[n], list[i] = list[i], list[n]
  end
end
local count, last = 0, nil
for p in coroutine.wrap(function() permutations { "a", "b", "c", "d", "e", "f" } end) do
  count, last = count + 1, table.concat(p)
end
print(count, last)
local ring = {}
for i = 1, 100 do
  ring[i] = coroutine.create(function()
    local total = 0
    while true do total = total + coroutine.yield(total) end
  end)
  coroutine.resume(ring[i])
end
local total = 0
for round = 1, 50 do
  for i, one in ipairs(ring) do
    local _, value = coroutine.resume(one, i * round)
    total = total + value
  end
end
print(total)

local lifted = coroutine.wrap(function() return c.countdown(3) end)
print(lifted(), lifted(), lifted(), lifted())
print(c.attempt(error, "from Lua"), c.attempt(math.max, 3, 9, 4))
local through = coroutine.wrap(function() return c.attempt(function() coroutine.yield("yielded") error("late", 0) end) end)
print(through(), through())
local count = c.counter(10, 5)
print(count(), count(), count())

local grid = c.grid(4, 3)
grid:map(function(_, x, y) return x * y + x / 4 end)
grid:set(2, 2, -1.5)
print(grid, grid:get(2, 2), pcall(grid.get, grid, 9, 9), pcall(grid.get, 1, 2, 3))
print(pcall(grid.map, grid, function(value) if value < 0 then error("negative", 0) end return value end))
for _ = 1, 200 do c.grid(10, 10) end
collectgarbage()
print("collected", c.collected())

local weak = setmetatable({}, { __mode = "k" })
for i = 1, 50 do weak[{}] = i end
local kept = {}
weak[kept] = "kept"
collectgarbage()
for key, value in pairs(weak) do print(key == kept, value) end
local finalized = {}
for i = 1, 5 do setmetatable({}, { __gc = function() finalized[#finalized + 1] = i end }) end
collectgarbage()
print(table.concat(finalized, " "))
collectgarbage("generational")
local chain
for i = 1, 20000 do chain = { chain, i } if i % 100 == 0 then chain = nil end end
collectgarbage("incremental", 100, 200)
for i = 1, 20000 do chain = { chain, tostring(i) } if i % 100 == 0 then chain = nil end end

print(load("return 1 +")) print(load("x = = 1", "=chunk")) print(load("return ...", "chunk", "t", {})(7))
local pieces = { "return ", "40", " + ", "2" }
print(load(function() return table.remove(pieces, 1) end)())
local dumped = string.dump(function(a, b) local c = a * b return c + 1 end)
print(load(dumped, "dumped", "b")(6, 7), load(dumped, "dumped", "t"))
local environment = setmetatable({}, { __index = _G, __newindex = function(t, k, v) rawset(t, k, v * 2) end })
load("x = 21 y = x", "e", "t", environment)()
print(environment.x, environment.y, x)
local lines = {}
debug.sethook(function(event, line) lines[#lines + 1] = line end, "l")
local z = 1
z = z + 1
debug.sethook()
print(#lines, debug.getinfo(1, "S").short_src:match("[^/]*$"), debug.getinfo(1, "l").currentline)
print(select(2, pcall(require, "nowhere")):match("^[^\n]*"))
local file = assert(io.tmpfile())
file:write("one\n", 2, " ", 3.5, "\nthree")
file:seek("set")
print(file:read("l", "n", "n", "l", "a"))
file:close()
print(pcall(file.read, file), io.type(file), os.time { year = 2000, month = 1, day = 1, hour = 12 } > 0, os.getenv("NOWHERE"))
error("at the end")
