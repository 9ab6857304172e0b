package io.millrace.connectors.bridge.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.files.OutsideFiles;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpoolCheckTest {

  @Test
  void aFullDiskIsSaid() {
    SpoolCheck spool = new SpoolCheck(OutsideFiles.here(), Path.of("/shared/millrace"));
    assertEquals(Optional.empty(), spool.room(100L << 20));
    assertEquals(
        Optional.of("the disk of /shared/millrace has 99 MiB left"),
        spool.room((100L << 20) - 1).map(CheckLine::text));
  }
}
