package io.millrace.ops.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A home that is down, with what a backup reads of it. */
final class SmallHome {

  static final String SEGMENT = "data/kafka/ledger-0/00000000000000000000";
  static final String LATER = "data/kafka/ledger-0/00000000000000000042";

  static final String METADATA = "data/kafka/__cluster_metadata-0/00000000000000000000.log";

  private SmallHome() {}

  static void make(Path home) throws IOException {
    put(home, "etc/millrace.properties", "bootstrap.servers=h:1\nshards=8\n" + ports());
    put(home, "etc/query.token", "secret");
    Files.setPosixFilePermissions(
        home.resolve("etc/query.token"), PosixFilePermissions.fromString("rw-------"));
    put(home, "data/kafka/meta.properties", "cluster.id=abc\n");
    put(home, METADATA, "topics");
    for (String segment : List.of(SEGMENT, LATER)) {
      put(home, segment + ".log", "records of " + segment);
      put(home, segment + ".index", "index");
    }
    put(home, "data/server/millrace/0_0/rocksdb/LOG", "made again");
    put(home, "run/broker.pid", "1 2 3");
    put(home, "log/broker.log", "words");
    put(home, "spool/here/position", "abc 3 12");
    put(home, "spool/here/runs/1.x.1/request", "id=1.x");
    put(home, "spool/here/spool/1.x.1.OU", "so far");
    put(home, "spool/here/new/half/request", "half");
    put(home, "spool/@c1/nodes/n1/runs/2.x.1", "mr.c1.2.1.x7k2p9");
    put(home, "spool/@c1/mark", "x7k2p9");
    Files.createSymbolicLink(home.resolve("spool/here/site"), Path.of("/etc/site"));
  }

  private static String ports() {
    return "broker.port=1\ncontroller.port=2\nregistry.port=3\nbroker.listen=\n";
  }

  static void put(Path home, String name, String text) throws IOException {
    Path path = home.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
