/* A database in memory: what SQL scripts print, then hundreds of calls of the interface of C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static sqlite3 *database;
static int failures;

static void check(int code, const char *what) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
    printf("%s: %d %s\n", what, code, sqlite3_errmsg(database));
    failures++;
  }
}

static int print_row(void *count, int columns, char **values, char **names) {
  (void)names;
  ++*(int *)count;
  for (int i = 0; i < columns; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
  putchar('\n');
  return 0;
}

/* Runs each statement of a script; a line that begins with `--` is printed. */
static void run_script(const char *path) {
  static char text[1 << 17];
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    printf("cannot be read: %s\n", path);
    failures++;
    return;
  }
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  for (const char *rest = text; *rest;) {
    sqlite3_stmt *statement;
    int rows = 0;
    while (*rest == '\n' || *rest == ' ') rest++;
    if (strncmp(rest, "--", 2) == 0) {
      size_t length = strcspn(rest, "\n");
      printf("%.*s\n", (int)length, rest);
      rest += length;
      continue;
    }
    const char *start = rest;
    int code = sqlite3_prepare_v2(database, start, -1, &statement, &rest);
    if (code != SQLITE_OK) {
      printf("refused: %s\n", sqlite3_errmsg(database));
      rest = start + strcspn(start, ";") + 1;
      continue;
    }
    if (statement == NULL) continue;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      char *values[32];
      int columns = sqlite3_column_count(statement);
      for (int i = 0; i < columns && i < 32; i++) values[i] = (char *)sqlite3_column_text(statement, i);
      print_row(&rows, columns, values, NULL);
    }
    if (code != SQLITE_DONE) printf("stopped: %s\n", sqlite3_errmsg(database));
    sqlite3_finalize(statement);
  }
}

static void product_step(sqlite3_context *context, int count, sqlite3_value **values) {
  double *product = sqlite3_aggregate_context(context, 2 * sizeof(double));
  (void)count;
  if (product[1] == 0) product[0] = product[1] = 1;
  product[0] *= sqlite3_value_double(values[0]);
}

static void product_end(sqlite3_context *context) {
  double *product = sqlite3_aggregate_context(context, 0);
  if (product) sqlite3_result_double(context, product[0]);
}

static void reversed(sqlite3_context *context, int count, sqlite3_value **values) {
  int length = sqlite3_value_bytes(values[0]);
  const unsigned char *text = sqlite3_value_text(values[0]);
  char *result = sqlite3_malloc(length + 1);
  for (int i = 0; i < length; i++) result[i] = (char)text[length - 1 - i];
  result[length] = 0;
  sqlite3_result_text(context, result, length, sqlite3_free);
  (void)count;
}

static int by_length(void *data, int length_a, const void *a, int length_b, const void *b) {
  (void)data;
  if (length_a != length_b) return length_a - length_b;
  return memcmp(a, b, (size_t)length_a);
}

static int hooked[3];
static void updated(void *data, int kind, const char *schema, const char *table, sqlite3_int64 row) {
  (void)data, (void)schema, (void)table, (void)row;
  hooked[kind == SQLITE_INSERT ? 0 : kind == SQLITE_DELETE ? 1 : 2]++;
}

static int authorized(void *data, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)data, (void)a, (void)c, (void)d;
  return action == SQLITE_READ && b && strcmp(b, "secret") == 0 ? SQLITE_IGNORE : SQLITE_OK;
}

/* Binds, steps and reads every type of value, hundreds of times. */
static void use_statements(void) {
  sqlite3_stmt *insert, *select;
  char *error = NULL;
  check(sqlite3_exec(database, "CREATE TABLE bound(i INTEGER PRIMARY KEY, r REAL, t TEXT, b BLOB, secret)", 0, 0, &error), "create");
  sqlite3_update_hook(database, updated, NULL);
  check(sqlite3_prepare_v2(database, "INSERT INTO bound VALUES(?1, ?2, :t, @b, $s)", -1, &insert, NULL), "prepare");
  check(sqlite3_exec(database, "BEGIN", 0, 0, NULL), "begin");
  for (int i = 1; i <= 300; i++) {
    unsigned char bytes[40];
    char text[64];
    for (int j = 0; j < 40; j++) bytes[j] = (unsigned char)(i * j * 7 + j);
    sqlite3_snprintf(sizeof text, text, "%d:%Q:%08.3f:%!.15g", i, "it's", i / 7.0, i / 3.0);
    check(sqlite3_bind_int64(insert, 1, i * 1000003LL), "bind");
    check(i % 5 ? sqlite3_bind_double(insert, 2, 1.0 / i) : sqlite3_bind_null(insert, 2), "bind");
    check(sqlite3_bind_text(insert, sqlite3_bind_parameter_index(insert, ":t"), text, -1, SQLITE_TRANSIENT), "bind");
    check(i % 7 ? sqlite3_bind_blob(insert, 4, bytes, i % 40, SQLITE_TRANSIENT) : sqlite3_bind_zeroblob(insert, 4, i), "bind");
    check(sqlite3_bind_int(insert, 5, -i), "bind");
    check(sqlite3_step(insert), "step");
    check(sqlite3_reset(insert), "reset");
    check(sqlite3_clear_bindings(insert), "clear");
  }
  check(sqlite3_exec(database, "COMMIT", 0, 0, NULL), "commit");
  sqlite3_finalize(insert);
  sqlite3_set_authorizer(database, authorized, NULL);
  check(sqlite3_prepare_v3(database, "SELECT *, typeof(r), hex(b) FROM bound ORDER BY t COLLATE by_length DESC", -1, 0, &select, NULL), "prepare");
  unsigned sum = 0;
  for (int row = 0; sqlite3_step(select) == SQLITE_ROW; row++) {
    const unsigned char *blob = sqlite3_column_blob(select, 3);
    for (int i = 0; i < sqlite3_column_bytes(select, 3); i++) sum = sum * 31 + blob[i];
    if (row % 10) continue;
    for (int i = 0; i < sqlite3_column_count(select); i++)
      printf("%s=%d:%s ", sqlite3_column_name(select, i), sqlite3_column_type(select, i), sqlite3_column_text(select, i));
    printf("%lld %.17g %u\n", sqlite3_column_int64(select, 0), sqlite3_column_double(select, 1), sum);
  }
  sqlite3_finalize(select);
  sqlite3_set_authorizer(database, NULL, NULL);
  check(sqlite3_exec(database, "DELETE FROM bound WHERE i % 3 = 0; UPDATE bound SET r = 2 WHERE i % 2", 0, 0, NULL), "change");
  printf("hooked %d %d %d, changed %d of %d\n", hooked[0], hooked[1], hooked[2], sqlite3_changes(database), sqlite3_total_changes(database));
}

static void use_blobs_and_copies(void) {
  sqlite3_blob *blob;
  sqlite3 *copy;
  unsigned char bytes[16];
  int rows = 0;
  sqlite3_int64 size;
  check(sqlite3_blob_open(database, "main", "bound", "b", 7 * 1000003LL, 1, &blob), "blob");
  printf("blob of %d\n", sqlite3_blob_bytes(blob));
  check(sqlite3_blob_write(blob, "abc", 3, 2), "write");
  check(sqlite3_blob_read(blob, bytes, 7, 0), "read");
  for (int i = 0; i < 7; i++) printf("%02x", bytes[i]);
  printf(" %d\n", sqlite3_blob_write(blob, "abc", 3, 6));
  sqlite3_blob_close(blob);
  check(sqlite3_open(":memory:", &copy), "open");
  sqlite3_backup *backup = sqlite3_backup_init(copy, "main", database, "main");
  for (int steps = 0; sqlite3_backup_step(backup, 20) == SQLITE_OK; steps++)
    if (steps % 8 == 0) printf("%d of %d left\n", sqlite3_backup_remaining(backup), sqlite3_backup_pagecount(backup));
  sqlite3_backup_finish(backup);
  check(sqlite3_exec(copy, "PRAGMA integrity_check; SELECT count(*), sum(i), total(r), max(t) FROM bound", print_row, &rows, NULL), "copied");
  unsigned char *image = sqlite3_serialize(database, "main", &size, 0);
  unsigned sum = 0;
  for (sqlite3_int64 i = 0; i < size; i++) sum = sum * 33 + image[i];
  printf("image of %lld, %s\n", size, sum ? (char *)image : "");
  sqlite3_free(image);
  sqlite3_close(copy);
}

int main(int count, char **arguments) {
  check(sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL), "open");
  check(sqlite3_create_function(database, "product", 1, SQLITE_UTF8, NULL, NULL, product_step, product_end), "function");
  check(sqlite3_create_function(database, "reversed", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, reversed, NULL, NULL), "function");
  check(sqlite3_create_collation(database, "by_length", SQLITE_UTF8, NULL, by_length), "collation");
  printf("%s, %s\n", sqlite3_libversion(), sqlite3_compileoption_used("ENABLE_FTS5") ? "full text" : "no full text");
  for (int i = 1; i < count; i++) run_script(arguments[i]);
  use_statements();
  use_blobs_and_copies();
  check(sqlite3_close(database), "close");
  printf("%d failures, %lld bytes left\n", failures, sqlite3_memory_used());
  return failures != 0;
}
