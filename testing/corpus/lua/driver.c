/* Runs Lua scripts, with an allocator, functions, and an object type of C's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static size_t allocated, most;

static void *allocate(void *data, void *old, size_t old_size, size_t size) {
  (void)data;
  if (old != NULL) allocated -= old_size;
  allocated += size;
  if (allocated > most) most = allocated;
  if (size == 0) {
    free(old);
    return NULL;
  }
  return realloc(old, size);
}

/* A grid of numbers as a userdata with a metatable. */
typedef struct {
  int width, height;
  double cells[];
} Grid;

static double *cell(lua_State *state) {
  Grid *grid = luaL_checkudata(state, 1, "grid");
  lua_Integer x = luaL_checkinteger(state, 2), y = luaL_checkinteger(state, 3);
  luaL_argcheck(state, x >= 1 && x <= grid->width, 2, "outside of the grid");
  luaL_argcheck(state, y >= 1 && y <= grid->height, 3, "outside of the grid");
  return &grid->cells[(y - 1) * grid->width + x - 1];
}

static int grid_new(lua_State *state) {
  int width = (int)luaL_checkinteger(state, 1), height = (int)luaL_checkinteger(state, 2);
  size_t size = sizeof(Grid) + (size_t)width * height * sizeof(double);
  Grid *grid = lua_newuserdatauv(state, size, 1);
  memset(grid, 0, size);
  grid->width = width;
  grid->height = height;
  luaL_setmetatable(state, "grid");
  return 1;
}

static int grid_get(lua_State *state) {
  lua_pushnumber(state, *cell(state));
  return 1;
}

static int grid_set(lua_State *state) {
  *cell(state) = luaL_checknumber(state, 4);
  return 0;
}

static int grid_map(lua_State *state) {
  Grid *grid = luaL_checkudata(state, 1, "grid");
  for (int i = 0; i < grid->width * grid->height; i++) {
    lua_pushvalue(state, 2);
    lua_pushnumber(state, grid->cells[i]);
    lua_pushinteger(state, i % grid->width + 1);
    lua_pushinteger(state, i / grid->width + 1);
    lua_call(state, 3, 1);
    grid->cells[i] = luaL_checknumber(state, -1);
    lua_pop(state, 1);
  }
  lua_settop(state, 1);
  return 1;
}

static int grid_text(lua_State *state) {
  Grid *grid = luaL_checkudata(state, 1, "grid");
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (int i = 0; i < grid->width * grid->height; i++) {
    char text[64];
    snprintf(text, sizeof text, "%s%.6g", i % grid->width ? " " : i ? "; " : "", grid->cells[i]);
    luaL_addstring(&buffer, text);
  }
  luaL_pushresult(&buffer);
  return 1;
}

static int grid_collected(lua_State *state) {
  lua_Integer count = (lua_getfield(state, LUA_REGISTRYINDEX, "collected"), lua_tointeger(state, -1));
  lua_pushinteger(state, count + 1);
  lua_setfield(state, LUA_REGISTRYINDEX, "collected");
  return 0;
}

/* Yields as often as it is told, and goes on in C each time. */
static int countdown_on(lua_State *state, int status, lua_KContext left) {
  (void)status;
  lua_settop(state, 0);
  if (left == 0) {
    lua_pushliteral(state, "lift-off");
    return 1;
  }
  lua_pushinteger(state, left);
  return lua_yieldk(state, 1, left - 1, countdown_on);
}

static int countdown(lua_State *state) {
  return countdown_on(state, LUA_OK, luaL_checkinteger(state, 1));
}

/* Calls in protected mode, across which coroutines can yield. */
static int attempted(lua_State *state, int status, lua_KContext context) {
  (void)context;
  lua_pushboolean(state, status == LUA_OK || status == LUA_YIELD);
  lua_insert(state, 1);
  return lua_gettop(state);
}

static int attempt(lua_State *state) {
  return attempted(state, lua_pcallk(state, lua_gettop(state) - 1, LUA_MULTRET, 0, 0, attempted), 0);
}

static int counter_step(lua_State *state) {
  lua_Integer next = lua_tointeger(state, lua_upvalueindex(1)) + lua_tointeger(state, lua_upvalueindex(2));
  lua_pushinteger(state, next);
  lua_copy(state, -1, lua_upvalueindex(1));
  return 1;
}

static int counter(lua_State *state) {
  lua_pushinteger(state, luaL_optinteger(state, 1, 0));
  lua_pushinteger(state, luaL_optinteger(state, 2, 1));
  lua_pushcclosure(state, counter_step, 2);
  return 1;
}

static int collected(lua_State *state) {
  lua_getfield(state, LUA_REGISTRYINDEX, "collected");
  return 1;
}

static int traced(lua_State *state) {
  luaL_traceback(state, state, lua_tostring(state, 1), 1);
  return 1;
}

static int open_library(lua_State *state) {
  static const luaL_Reg methods[] = {{"get", grid_get}, {"set", grid_set}, {"map", grid_map}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"grid", grid_new},   {"countdown", countdown}, {"attempt", attempt},
                                       {"counter", counter}, {"collected", collected}, {NULL, NULL}};
  luaL_newmetatable(state, "grid");
  lua_pushcfunction(state, grid_text);
  lua_setfield(state, -2, "__tostring");
  lua_pushcfunction(state, grid_collected);
  lua_setfield(state, -2, "__gc");
  luaL_newlib(state, methods);
  lua_setfield(state, -2, "__index");
  luaL_newlib(state, functions);
  return 1;
}

int main(int count, char **arguments) {
  int failures = 0;
  for (int i = 1; i < count; i++) {
    lua_State *state = lua_newstate(allocate, NULL);
    luaL_openlibs(state);
    luaL_requiref(state, "c", open_library, 1);
    lua_settop(state, 0);
    lua_pushcfunction(state, traced);
    const char *name = strrchr(arguments[i], '/');
    printf("== %s\n", name ? name + 1 : arguments[i]);
    fflush(stdout);
    if (luaL_loadfile(state, arguments[i]) != LUA_OK || lua_pcall(state, 0, 1, 1) != LUA_OK) {
      printf("failed: %s\n", lua_tostring(state, -1));
      failures++;
    } else {
      printf("result: %s\n", luaL_tolstring(state, -1, NULL));
    }
    lua_close(state);
    printf("left %zu, most %s\n", allocated, most > 1000 ? "thousands" : "few");
    fflush(stdout);
  }
  return failures;
}
