package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.recorded.RecordedTexts;
import java.util.Map;

/** What Slurm 22.05.8 has printed, retyped and shortened. */
final class SlurmFixtures {

  private static final RecordedTexts TEXTS = new RecordedTexts(SlurmFixtures.class);

  static final String COMPLETION =
      "JobId=2 UserId=alice(1001) GroupId=alice(1001) Name=a b' JobState=X JobState=FAILED"
          + " Partition=batch TimeLimit=525600 StartTime=2026-11-25T22:47:33"
          + " EndTime=2026-11-25T22:49:34 NodeList=vm NodeCnt=1 ProcCnt=1 WorkDir=/home/a b"
          + " ReservationName= Tres=cpu=1,mem=24105M,node=1,billing=1 Account= QOS="
          + " WcKey=mr.c1.13.1 Cluster=unknown SubmitTime=2026-11-25T22:47:29"
          + " EligibleTime=2026-11-25T22:47:29 DerivedExitCode=0:0 ExitCode=3:0 ";

  private SlurmFixtures() {}

  static String text(String name) {
    return TEXTS.text(name);
  }

  /** Fields of an output, each with what is made of it. */
  static Map<String, String> fields(String name) {
    return TEXTS.fields(name);
  }
}
