/* log SOCKET FILE: takes what programs say to the system's log and appends it to a file. */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sockaddr_un at = { .sun_family = AF_UNIX };
  char said[8192];
  int from = socket(AF_UNIX, SOCK_DGRAM, 0), to;
  if (argc != 3 || strlen(argv[1]) >= sizeof at.sun_path) return 2;
  strcpy(at.sun_path, argv[1]);
  to = open(argv[2], O_CREAT | O_APPEND | O_WRONLY, 0600);
  if (to < 0 || bind(from, (struct sockaddr *)&at, sizeof at) || chmod(argv[1], 0666)) return 1;
  if (write(1, "ready\n", 6) != 6) return 1;
  for (;;) {
    ssize_t got = recv(from, said, sizeof said - 1, 0);
    if (got < 0) return 1;
    said[got++] = '\n';
    if (write(to, said, got) != got) return 1;
  }
}
