package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** What Slurm 22.05.8 has printed, retyped and shortened. */
final class Fixtures {

  static final String COMPLETION =
      "JobId=2 UserId=alice(1001) GroupId=alice(1001) Name=a b' JobState=X JobState=FAILED"
          + " Partition=batch TimeLimit=525600 StartTime=2026-11-25T22:47:33"
          + " EndTime=2026-11-25T22:49:34 NodeList=vm NodeCnt=1 ProcCnt=1 WorkDir=/home/a b"
          + " ReservationName= Tres=cpu=1,mem=24105M,node=1,billing=1 Account= QOS="
          + " WcKey=mr.c1.13.1 Cluster=unknown SubmitTime=2026-11-25T22:47:29"
          + " EligibleTime=2026-11-25T22:47:29 DerivedExitCode=0:0 ExitCode=3:0 ";

  private Fixtures() {}

  static String text(String name) {
    try (InputStream in = Fixtures.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fields of an output, each with what is made of it. */
  static Map<String, String> fields(String name) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : text(name).lines().toList()) {
      int colon = line.indexOf(": ");
      if (!line.startsWith("#") && colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return fields;
  }

  static OutsideAnswer answer(int status, String out, String err) {
    return new OutsideAnswer(ProcessEnding.EXITED, status, out, err, Duration.ofMillis(20));
  }
}
