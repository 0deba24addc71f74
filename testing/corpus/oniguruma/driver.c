/* Runs Oniguruma's own tests, one after the other. */
#include <stdio.h>

int test_back_main(int count, char **arguments);
int test_options_main(int count, char **arguments);
int test_regset_main(int count, char **arguments);
int test_syntax_main(int count, char **arguments);
int test_utf8_main(int count, char **arguments);
int testc_main(int count, char **arguments);
int testu_main(int count, char **arguments);

int main(int count, char **arguments) {
  int (*const tests[])(int, char **) = {test_back_main, test_options_main, test_regset_main, test_syntax_main,
                                        test_utf8_main, testc_main,        testu_main};
  int failures = 0;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    int code = tests[i](count, arguments);
    printf("== %zu: %d\n", i, code);
    failures += code != 0;
  }
  return failures;
}
