/* Compresses and decompresses made-up data in every way that zlib knows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

enum { SIZE = 60000, ROOM = 2 * SIZE };
static unsigned char data[SIZE], packed[ROOM], back[ROOM];
static int failures;

static unsigned next(void) {
  static unsigned state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

/* Text of few words, a ramp, noise, runs, or bits that are mostly zero. */
static const char *make(int kind, size_t size) {
  static const char *const names[] = {"words", "ramp", "noise", "runs", "sparse"};
  static const char *const words[] = {"alpha ", "beta, ", "gamma; ", "delta\n", "the ", "of ", "and ", "zlib "};
  for (size_t i = 0; i < size;) {
    const char *word = words[next() % 8];
    switch (kind) {
      case 0:
        while (*word && i < size) data[i++] = (unsigned char)*word++;
        break;
      case 1: data[i] = (unsigned char)(i / 7 + i % 3); i++; break;
      case 2: data[i++] = (unsigned char)next(); break;
      case 3:
        for (unsigned run = next() % 500, byte = next(); run && i < size; run--) data[i++] = (unsigned char)byte;
        break;
      default: data[i++] = next() % 16 ? 0 : (unsigned char)(1 << next() % 8); break;
    }
  }
  return names[kind];
}

static void expect(int holds, const char *what, int code) {
  if (holds) return;
  printf("failed: %s (%d)\n", what, code);
  failures++;
}

/* Each level, strategy, window and memory, fed and drained in small pieces. */
static void stream(int kind, int level, int strategy, int bits, int memory, unsigned piece) {
  z_stream s = {0};
  const char *name = make(kind, SIZE);
  expect(deflateInit2(&s, level, Z_DEFLATED, bits, memory, strategy) == Z_OK, "deflateInit2", 0);
  uLong bound = deflateBound(&s, SIZE);
  size_t in = 0, out = 0;
  int code = Z_OK, rounds = 0;
  while (code != Z_STREAM_END) {
    size_t left = SIZE - in;
    s.next_in = data + in;
    s.avail_in = left < piece ? (unsigned)left : piece;
    s.next_out = packed + out;
    s.avail_out = piece;
    int flush = left <= piece ? Z_FINISH : rounds % 31 == 30 ? Z_FULL_FLUSH : rounds % 17 == 16 ? Z_SYNC_FLUSH : Z_NO_FLUSH;
    code = deflate(&s, flush);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) break;
    if (++rounds % 40 == 0 && code == Z_OK) deflateParams(&s, (level + 3) % 10, strategy);
    in = s.total_in;
    out = s.total_out;
  }
  expect(code == Z_STREAM_END, "deflate", code);
  printf("%s level %d strategy %d bits %d memory %d: %zu of %lu, %d rounds, adler %08lx, crc %08lx", name, level, strategy, bits, memory,
         out, bound, rounds, s.adler, crc32(0, packed, (unsigned)out));
  expect(deflateEnd(&s) == Z_OK, "deflateEnd", 0);

  memset(&s, 0, sizeof s);
  expect(inflateInit2(&s, bits > 15 ? bits + 16 : bits) == Z_OK, "inflateInit2", 0);
  size_t total = 0;
  for (in = 0, code = Z_OK; code == Z_OK || code == Z_BUF_ERROR;) {
    unsigned offered = out - in < piece / 3 + 1 ? (unsigned)(out - in) : piece / 3 + 1;
    s.next_in = packed + in;
    s.avail_in = offered;
    s.next_out = back + total;
    s.avail_out = (unsigned)(ROOM - total) < piece ? (unsigned)(ROOM - total) : piece;
    unsigned room = s.avail_out;
    code = inflate(&s, Z_NO_FLUSH);
    in += offered - s.avail_in;
    total += room - s.avail_out;
  }
  expect(code == Z_STREAM_END && total == SIZE && memcmp(data, back, SIZE) == 0, "inflate", code);
  expect(inflateEnd(&s) == Z_OK, "inflateEnd", 0);
  printf(", back %zu\n", total);
}

static void dictionaries(void) {
  static const unsigned char words[] = "alpha beta, gamma; delta\nthe of and zlib ";
  for (int level = 0; level <= 9; level++) {
    z_stream s = {0};
    unsigned size = sizeof back;
    make(0, 3000);
    deflateInit(&s, level);
    expect(deflateSetDictionary(&s, words, sizeof words) == Z_OK, "deflateSetDictionary", level);
    s.next_in = data, s.avail_in = 3000, s.next_out = packed, s.avail_out = ROOM;
    expect(deflate(&s, Z_FINISH) == Z_STREAM_END, "deflate", level);
    uLong out = s.total_out;
    deflateEnd(&s);
    memset(&s, 0, sizeof s);
    inflateInit(&s);
    s.next_in = packed, s.avail_in = (unsigned)out, s.next_out = back, s.avail_out = size;
    int code = inflate(&s, Z_FINISH);
    printf("dictionary: level %d, %lu bytes, %d, %08lx", level, out, code, s.adler);
    expect(inflateSetDictionary(&s, words, sizeof words) == Z_OK, "inflateSetDictionary", level);
    expect(inflate(&s, Z_FINISH) == Z_STREAM_END && memcmp(data, back, 3000) == 0, "inflate", level);
    printf(", %lu back\n", s.total_out);
    inflateEnd(&s);
  }
}

/* What is not right is refused, at the same place with the same words. */
static void damage(void) {
  make(0, SIZE);
  uLongf size = ROOM;
  compress2(packed, &size, data, SIZE, 6);
  for (int i = 0; i < 300; i++) {
    z_stream s = {0};
    size_t at = next() % (i < 100 ? 40 : size);
    unsigned char was = packed[at];
    packed[at] ^= (unsigned char)(1 << next() % 8);
    inflateInit(&s);
    s.next_in = packed, s.avail_in = (unsigned)size, s.next_out = back, s.avail_out = ROOM;
    int code = inflate(&s, Z_FINISH);
    const char *said = s.msg ? s.msg : "";
    uLong in = s.total_in, out = s.total_out;
    int synced = inflateSync(&s);
    if (i % 5 == 0) printf("damaged at %zu: %d %s, in %lu, out %lu, sync %d\n", at, code, said, in, out, synced);
    inflateEnd(&s);
    packed[at] = was;
  }
}

static void files(const char *path) {
  static const char *const modes[] = {"wb1", "wb9", "wb6h", "wb6R", "wb6f", "wbT", "ab3"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    gzFile file = gzopen(path, modes[i]);
    if (file == NULL) {
      expect(0, "gzopen", (int)i);
      continue;
    }
    for (int line = 0; line < 200; line++) gzprintf(file, "%d: %s %5.2f %c\n", line, "line", line / 3.0, 'a' + line % 26);
    gzputs(file, "text\n");
    gzputc(file, '!');
    gzwrite(file, data, 5000);
    gzflush(file, Z_FINISH);
    printf("%s: at %ld, ", modes[i], (long)gztell(file));
    expect(gzclose(file) == Z_OK, "gzclose", 0);
    file = gzopen(path, "rb");
    char line[200];
    uLong sum = adler32(0, NULL, 0);
    for (int lines = 0; lines < 150 && gzgets(file, line, sizeof line); lines++) sum = adler32(sum, (unsigned char *)line, (unsigned)strlen(line));
    gzungetc('#', file);
    int first = gzgetc(file), second = gzgetc(file), direct = gzdirect(file);
    printf("%c%c, direct %d, seek %ld, ", first, second, direct, (long)gzseek(file, 4000, SEEK_SET));
    int count = gzread(file, back, ROOM);
    printf("%d read, %08lx %08lx, end %d\n", count, sum, crc32(0, back, (unsigned)count), gzeof(file));
    gzclose(file);
  }
  remove(path);
}

int main(int count, char **arguments) {
  printf("zlib %s, flags %lx\n", zlibVersion(), zlibCompileFlags());
  for (int kind = 0; kind < 5; kind++) {
    for (int level = 0; level <= 9; level++) stream(kind, level, Z_DEFAULT_STRATEGY, 15, 8, 1000 + 777 * (unsigned)level);
    for (int strategy = Z_FILTERED; strategy <= Z_FIXED; strategy++) stream(kind, 6, strategy, 9 + strategy, strategy, 5000);
    stream(kind, 5, Z_DEFAULT_STRATEGY, -12, 9, 64);
    stream(kind, 7, Z_DEFAULT_STRATEGY, 31, 9, 60000);
  }
  dictionaries();
  damage();
  uLong crc = crc32(0, data, 1000), adler = adler32(1, data, 1000);
  printf("%08lx %08lx %08lx %08lx\n", crc32_combine(crc, crc32(0, data + 1000, 2000), 2000), crc32(crc, data + 1000, 2000),
         adler32_combine(adler, adler32(1, data + 1000, 2000), 2000), adler32(adler, data + 1000, 2000));
  files(count > 1 ? arguments[1] : "scratch.gz");
  printf("%d failures\n", failures);
  return failures != 0;
}
