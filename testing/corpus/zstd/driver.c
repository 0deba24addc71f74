/* Compresses and decompresses made-up data in every way that zstd knows. */
#define ZSTD_STATIC_LINKING_ONLY
#define ZDICT_STATIC_LINKING_ONLY
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xxhash.h"
#include "zdict.h"
#include "zstd.h"
#include "zstd_errors.h"

enum { SIZE = 150000, ROOM = 2 * SIZE };
static unsigned char data[SIZE], packed[ROOM], back[ROOM];
static int failures;

static unsigned next(void) {
  static unsigned state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

/* Lines of text, a ramp, noise, copies from far away, or bits that are mostly zero. */
static const char *make(int kind, size_t size) {
  static const char *const names[] = {"lines", "ramp", "noise", "copies", "sparse"};
  static const char *const words[] = {"alpha", "beta", "gamma", "delta", "name=", "value: ", "{}", "\n"};
  for (size_t i = 0; i < size;) {
    switch (kind) {
      case 0: {
        char line[80];
        int length = snprintf(line, sizeof line, "%u %s%s %08x\n", next() % 1000, words[next() % 8], words[next() % 8], next() & 0xff00ff);
        for (int j = 0; j < length && i < size; j++) data[i++] = (unsigned char)line[j];
        break;
      }
      case 1: data[i] = (unsigned char)(i / 9 + i % 5); i++; break;
      case 2: data[i++] = (unsigned char)next(); break;
      case 3: {
        unsigned run = next() % 60 + 1, from = i ? next() % (unsigned)i : 0;
        for (unsigned j = 0; j < run && i < size; j++, i++) data[i] = i < 500 || j == 0 ? (unsigned char)next() : data[from + j];
        break;
      }
      default: data[i++] = next() % 16 ? 0 : (unsigned char)(1 << next() % 8); break;
    }
  }
  return names[kind];
}

static size_t expect(size_t code, const char *what) {
  if (!ZSTD_isError(code)) return code;
  printf("failed: %s: %s\n", what, ZSTD_getErrorName(code));
  failures++;
  return 0;
}

static void compare(size_t size, size_t wanted, const char *what) {
  if (size == wanted && memcmp(data, back, size) == 0) return;
  printf("differs: %s, %zu of %zu\n", what, size, wanted);
  failures++;
}

static void blocks(void) {
  for (int kind = 0; kind < 5; kind++) {
    for (int level = -5; level <= 19; level += level >= 9 ? 2 : 1) {
      size_t size = level > 12 ? 40000 : SIZE;
      const char *name = make(kind, size);
      size_t out = expect(ZSTD_compress(packed, ROOM, data, size, level), name);
      printf("%s level %d: %zu, %016llx, content %llu", name, level, out, (unsigned long long)XXH64(packed, out, 0),
             ZSTD_getFrameContentSize(packed, out));
      compare(expect(ZSTD_decompress(back, ROOM, packed, out), name), size, name);
      printf(", frame %zu\n", ZSTD_findFrameCompressedSize(packed, out));
    }
  }
}

/* Every strategy, with long distances, checksums, and other parameters. */
static void parameters(void) {
  ZSTD_CCtx *in = ZSTD_createCCtx();
  ZSTD_DCtx *out = ZSTD_createDCtx();
  for (int i = 0; i < 45; i++) {
    const char *name = make(i % 5, 60000);
    ZSTD_CCtx_reset(in, ZSTD_reset_session_and_parameters);
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_strategy, 1 + i % 9), "strategy");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_checksumFlag, i & 1), "checksum");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_contentSizeFlag, i % 3 != 0), "size");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_windowLog, 12 + i % 8), "window");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_enableLongDistanceMatching, i % 4 == 0 ? ZSTD_ps_enable : ZSTD_ps_disable), "long");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_useRowMatchFinder, i % 2 ? ZSTD_ps_enable : ZSTD_ps_disable), "rows");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_literalCompressionMode, i % 7 == 0 ? ZSTD_ps_disable : ZSTD_ps_auto), "literals");
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_targetCBlockSize, i % 6 == 5 ? 2000 : 0), "blocks");
    size_t size = expect(ZSTD_compress2(in, packed, ROOM, data, 60000), name);
    printf("%s parameters %d: %zu, %08x\n", name, i, size, XXH32(packed, size, 7));
    compare(expect(ZSTD_decompressDCtx(out, back, ROOM, packed, size), name), 60000, name);
  }
  ZSTD_freeCCtx(in);
  ZSTD_freeDCtx(out);
}

static void streams(void) {
  ZSTD_CCtx *in = ZSTD_createCCtx();
  ZSTD_DStream *out = ZSTD_createDStream();
  for (int i = 0; i < 20; i++) {
    const char *name = make(i % 5, SIZE);
    size_t piece = 500 + 1237 * (size_t)i, done, total = 0;
    ZSTD_outBuffer to = {packed, 0, 0};
    ZSTD_CCtx_reset(in, ZSTD_reset_session_only);
    expect(ZSTD_CCtx_setParameter(in, ZSTD_c_compressionLevel, 1 + i % 6), "level");
    if (i % 4 == 1) expect(ZSTD_CCtx_setPledgedSrcSize(in, SIZE), "pledge");
    ZSTD_inBuffer from = {data, 0, 0};
    for (size_t left = 1; left;) {
      from.size = from.size + piece < SIZE ? from.size + piece : SIZE;
      to.size = to.pos + piece;
      ZSTD_EndDirective how = from.size == SIZE ? ZSTD_e_end : total % 11 == 10 ? ZSTD_e_flush : ZSTD_e_continue;
      left = expect(ZSTD_compressStream2(in, &to, &from, how), name);
      if (how != ZSTD_e_end) left = 1;
      total++;
    }
    ZSTD_frameProgression progress = ZSTD_getFrameProgression(in);
    printf("%s stream of %zu: %zu in %zu, %llu consumed, %08x", name, piece, to.pos, total, progress.consumed, XXH32(packed, to.pos, 0));
    expect(ZSTD_initDStream(out), "initDStream");
    ZSTD_inBuffer again = {packed, 0, 0};
    ZSTD_outBuffer result = {back, 0, 0};
    for (done = 1, total = 0; done; total++) {
      again.size = again.size + piece / 2 < to.pos ? again.size + piece / 2 : to.pos;
      result.size = result.pos + piece < ROOM ? result.pos + piece : ROOM;
      done = expect(ZSTD_decompressStream(out, &result, &again), name);
    }
    compare(result.pos, SIZE, name);
    printf(", back in %zu\n", total);
  }
  ZSTD_freeCCtx(in);
  ZSTD_freeDStream(out);
}

static void dictionaries(void) {
  static unsigned char words[8000];
  size_t sizes[200];
  make(0, SIZE);
  for (int i = 0; i < 200; i++) sizes[i] = 500;
  for (int method = 0; method < 3; method++) {
    ZDICT_cover_params_t cover = {.k = 200, .d = 8, .steps = 4, .nbThreads = 1};
    ZDICT_fastCover_params_t fast = {.k = 200, .d = 6, .f = 14, .accel = 2};
    size_t size = method == 0   ? ZDICT_trainFromBuffer(words, sizeof words, data, sizes, 200)
                  : method == 1 ? ZDICT_trainFromBuffer_cover(words, sizeof words, data, sizes, 200, cover)
                                : ZDICT_trainFromBuffer_fastCover(words, sizeof words, data, sizes, 200, fast);
    expect(size, "training");
    printf("dictionary of %zu, id %u, header %zu, %08x\n", size, ZDICT_getDictID(words, size), ZDICT_getDictHeaderSize(words, size),
           XXH32(words, size, 0));
    ZSTD_CCtx *in = ZSTD_createCCtx();
    ZSTD_DCtx *out = ZSTD_createDCtx();
    for (int level = 1; level <= 19; level += 3) {
      ZSTD_CDict *packing = ZSTD_createCDict(words, size, level);
      ZSTD_DDict *unpacking = ZSTD_createDDict(words, size);
      size_t length = expect(ZSTD_compress_usingCDict(in, packed, ROOM, data + 70000, 700, packing), "CDict");
      printf("level %d: %zu, id %u, %zu without\n", level, length, ZSTD_getDictID_fromFrame(packed, length), ZSTD_compress(back, ROOM, data + 70000, 700, level));
      size_t total = expect(ZSTD_decompress_usingDDict(out, back, ROOM, packed, length, unpacking), "DDict");
      if (total != 700 || memcmp(back, data + 70000, 700) != 0) failures++;
      ZSTD_freeCDict(packing);
      ZSTD_freeDDict(unpacking);
    }
    ZSTD_freeCCtx(in);
    ZSTD_freeDCtx(out);
  }
}

/* What is not right is refused, in the same words. */
static void damage(void) {
  make(0, 20000);
  size_t size = ZSTD_compress(packed, ROOM, data, 20000, 5);
  for (int i = 0; i < 400; i++) {
    size_t at = i < 200 ? (size_t)i : next() % size;
    packed[at] ^= (unsigned char)(1 << i % 8);
    size_t code = ZSTD_decompress(back, 25000, packed, size - (i % 50 == 49));
    if (i % 4 == 0) printf("damaged at %zu: %s, %d\n", at, ZSTD_isError(code) ? ZSTD_getErrorName(code) : "?", ZSTD_getErrorCode(code));
    packed[at] ^= (unsigned char)(1 << i % 8);
  }
}

int main(void) {
  printf("zstd %s, levels %d to %d\n", ZSTD_versionString(), ZSTD_minCLevel(), ZSTD_maxCLevel());
  blocks();
  parameters();
  streams();
  dictionaries();
  damage();
  printf("%d failures\n", failures);
  return failures != 0;
}
