/*
 * words SYSTEM SPOOL NAME WORD...: whether millrace-outside takes these words; it starts nothing.
 * words path PATH: whether it would use what is there.
 */
#define main starter_main
#include "../../../../bridge/src/main/c/millrace-outside.c"
#undef main

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "path")) {
    need_root_path(argv[2]);
    return 0;
  }
  if (argc < 4) return 2;
  static char account[] = "mralice";
  static struct passwd owner;
  owner.pw_name = account;
  self = &owner;
  put(conf.system, sizeof conf.system, "system", argv[1]);
  put(conf.spool, sizeof conf.spool, "spool", argv[2]);
  need_system();
  need_words(find(argv[3]), argc - 4, argv + 4);
  return 0;
}
