/* Parses sources in C, walks, asks and edits their trees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/api.h"

const TSLanguage *tree_sitter_c(void);

static char text[1 << 20];
static uint32_t size;

static uint32_t hash(uint32_t sum, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sum = (sum ^ (unsigned char)bytes[i]) * 16777619;
  return sum;
}

/* What a tree is as text: the whole of a small one, of a large one the sum. */
static void show(const char *what, TSTree *tree) {
  TSNode root = ts_tree_root_node(tree);
  char *words = ts_node_string(root);
  size_t length = strlen(words);
  printf("%s: %u nodes, error %d, %zu characters, %08x\n", what, ts_node_descendant_count(root), ts_node_has_error(root), length,
         hash(2166136261u, words, length));
  if (length < 4000) puts(words);
  free(words);
}

/* Every node, once by a cursor and once by its relatives. */
static void walk(TSTree *tree) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t kinds[512] = {0}, fields = 0, deepest = 0, sum = 0;
  for (int down = 1;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (down) {
      TSPoint at = ts_node_start_point(node);
      const char *field = ts_tree_cursor_current_field_name(&cursor), *kind = ts_node_type(node);
      kinds[ts_node_symbol(node) % 512]++;
      fields += field != NULL;
      sum = hash(sum, kind, strlen(kind)) + at.row * 31 + at.column + ts_node_end_byte(node) + ts_node_is_named(node);
      if (ts_tree_cursor_current_depth(&cursor) > deepest) deepest = ts_tree_cursor_current_depth(&cursor);
      if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    }
    if (ts_tree_cursor_goto_next_sibling(&cursor)) {
      down = 1;
    } else {
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
      down = 0;
    }
  }
  printf("walk: %u fields, %u deep, %08x;", fields, deepest, sum);
  for (unsigned i = 0; i < 512; i++)
    if (kinds[i] > 40) printf(" %s %u", ts_language_symbol_name(tree_sitter_c(), (TSSymbol)i), kinds[i]);
  putchar('\n');
  ts_tree_cursor_delete(&cursor);
  for (uint32_t at = 1; at < size; at += size / 12 + 1) {
    TSNode node = ts_node_named_descendant_for_byte_range(ts_tree_root_node(tree), at, at + 3);
    TSNode parent = ts_node_parent(node), after = ts_node_next_named_sibling(node), before = ts_node_prev_sibling(node);
    printf("at %u: %s of %s, between %s and %s, %u children, %s\n", at, ts_node_type(node), ts_node_is_null(parent) ? "-" : ts_node_type(parent),
           ts_node_is_null(before) ? "-" : ts_node_type(before), ts_node_is_null(after) ? "-" : ts_node_type(after),
           ts_node_named_child_count(node), ts_node_is_null(ts_node_child_by_field_name(node, "declarator", 10)) ? "" : "declares");
  }
}

static void ask(TSTree *tree, const char *pattern) {
  uint32_t at = 0, captured = 0, matches = 0, sum = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery *query = ts_query_new(tree_sitter_c(), pattern, (uint32_t)strlen(pattern), &at, &error);
  printf("query %.60s: ", pattern);
  if (query == NULL) {
    printf("error %d at %u\n", error, at);
    return;
  }
  TSQueryCursor *cursor = ts_query_cursor_new();
  TSQueryMatch match;
  ts_query_cursor_exec(cursor, query, ts_tree_root_node(tree));
  printf("%u patterns, %u captures, %u strings;", ts_query_pattern_count(query), ts_query_capture_count(query), ts_query_string_count(query));
  while (ts_query_cursor_next_match(cursor, &match)) {
    for (uint16_t i = 0; i < match.capture_count; i++) {
      TSNode node = match.captures[i].node;
      uint32_t start = ts_node_start_byte(node), length = ts_node_end_byte(node) - start, letters;
      if (matches < 6 && length < 40)
        printf(" %s=%.*s", ts_query_capture_name_for_id(query, match.captures[i].index, &letters), (int)length, text + start);
      sum = hash(sum + match.pattern_index, text + start, length);
      captured++;
    }
    matches++;
  }
  printf(" %u matches, %u nodes, %08x\n", matches, captured, sum);
  ts_query_cursor_delete(cursor);
  ts_query_delete(query);
}

/* What a parser reads piece by piece. */
static const char *piece(void *calls, uint32_t at, TSPoint point, uint32_t *length) {
  (void)point;
  ++*(unsigned *)calls;
  *length = at >= size ? 0 : size - at < 1000 ? size - at : 1000;
  return text + (at < size ? at : size);
}

static TSPoint point_of(uint32_t at) {
  TSPoint point = {0, 0};
  for (uint32_t i = 0; i < at; i++) {
    if (text[i] == '\n') point = (TSPoint){point.row + 1, 0};
    else point.column++;
  }
  return point;
}

/* Puts words in or takes them out, and parses again with what is known of the old tree. */
static TSTree *edit(TSParser *parser, TSTree *tree, uint32_t at, uint32_t removed, const char *words) {
  uint32_t added = (uint32_t)strlen(words), count;
  TSInputEdit change = {at, at + removed, at + added, point_of(at), point_of(at + removed), {0, 0}};
  memmove(text + at + added, text + at + removed, size - at - removed);
  memcpy(text + at, words, added);
  size += added - removed;
  change.new_end_point = point_of(at + added);
  ts_tree_edit(tree, &change);
  TSTree *result = ts_parser_parse_string(parser, tree, text, size);
  TSRange *ranges = ts_tree_get_changed_ranges(tree, result, &count);
  printf("edit at %u: %u ranges", at, count);
  for (uint32_t i = 0; i < count && i < 5; i++) printf(" %u-%u", ranges[i].start_byte, ranges[i].end_byte);
  putchar('\n');
  free(ranges);
  ts_tree_delete(tree);
  return result;
}

static int parse(TSParser *parser, const char *path) {
  static const char *const queries[] = {
      "(function_definition declarator: (function_declarator declarator: (identifier) @name parameters: (parameter_list) @all))",
      "(call_expression function: (identifier) @called arguments: (argument_list . (_) @first))",
      "[(if_statement) (while_statement) (for_statement)] @control (return_statement (number_literal) @number)",
      "((identifier) @constant (#match? @constant \"^[A-Z]+$\"))",
      "(binary_expression left: (_) @left operator: \"+\" right: (_)+ @right)",
      "(struct_specifier body: (field_declaration_list (field_declaration type: (_) @type)* ))",
      "(nothing) @x", "(identifier", "(comment)+ @comments . (declaration)? @next"};
  FILE *file = fopen(path, "rb");
  const char *name = strrchr(path, '/');
  unsigned calls = 0;
  if (file == NULL) {
    printf("cannot be read: %s\n", path);
    return 1;
  }
  size = (uint32_t)fread(text, 1, sizeof text / 2, file);
  fclose(file);
  ts_parser_reset(parser);
  TSInput input = {&calls, piece, TSInputEncodingUTF8, NULL};
  TSTree *tree = ts_parser_parse(parser, NULL, input);
  show(name ? name + 1 : path, tree);
  printf("%u pieces\n", calls);
  walk(tree);
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) ask(tree, queries[i]);
  tree = edit(parser, tree, size / 2, 5, " ) ");
  tree = edit(parser, tree, size / 3, 0, "\nint added(void) { return sizeof(int[3]); }\n");
  tree = edit(parser, tree, 0, 0, "/* unfinished ");
  show("edited", tree);
  tree = edit(parser, tree, 0, 14, "#if 1\n");
  TSTree *copy = ts_tree_copy(tree), *fresh = ts_parser_parse_string(parser, NULL, text, size);
  show("copy", copy);
  show("fresh", fresh);
  ts_tree_delete(tree);
  ts_tree_delete(copy);
  ts_tree_delete(fresh);
  return 0;
}

int main(int count, char **arguments) {
  TSParser *parser = ts_parser_new();
  const TSLanguage *language = tree_sitter_c();
  int failures = !ts_parser_set_language(parser, language);
  printf("language of version %u, %u symbols, %u fields, %u states\n", ts_language_abi_version(language), ts_language_symbol_count(language),
         ts_language_field_count(language), ts_language_state_count(language));
  for (int i = 1; i < count; i++) failures += parse(parser, arguments[i]);
  ts_parser_delete(parser);
  return failures;
}
