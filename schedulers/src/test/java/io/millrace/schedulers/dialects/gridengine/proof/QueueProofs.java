package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What each option of queue_conf changes. */
final class QueueProofs {

  private static final String QUEUE = "qname all.q\nhostlist node01 node02\n";

  private QueueProofs() {}

  static List<Proof> list() {
    return Stream.of(instances(), jobs(), users(), limits()).flatMap(List::stream).toList();
  }

  /** Which instances there are, in which order, and how many slots they have. */
  private static List<Proof> instances() {
    return List.of(
        proof(
            "qname",
            "a job gets the queue that it names",
            "qname long.q\nhostlist node09\n",
            scene -> scene.job("A", "-q long.q").decide(),
            "A@long.q@node09"),
        proof(
            "hostlist",
            "the jobs run on the listed host",
            "qname all.q\nhostlist node07\n",
            scene -> scene.job("A", "").decide(),
            "A@all.q@node07"),
        proof(
            "seq_no",
            "the instance with the lower number is filled first",
            QUEUE + "seq_no 2,[node02=1]\n",
            scene -> scene.scheduler("queue_sort_method", "seqno").job("A", "").decide(),
            "A@all.q@node02"),
        proof(
            "load_thresholds",
            "an instance whose host reached the threshold is dropped",
            QUEUE + "load_thresholds np_load_avg=1.5\n",
            scene ->
                scene
                        .host("hostname node01\nload_values np_load_avg=1.75\n")
                        .host("hostname node02\nload_values np_load_avg=9.0,num_proc=2\n")
                        .job("A", "")
                        .decide()
                    + ", "
                    + scene.decisions().information().get(0).text(),
            ", queue instance \"all.q@node01\" dropped because it is overloaded:"
                + " np_load_avg=1.750000 (no load adjustment) >= 1.5"));
  }

  /** Which jobs an instance takes, and how many. */
  private static List<Proof> jobs() {
    return List.of(
        proof(
            "qtype",
            "a batch job finds no queue of its type",
            QUEUE + "qtype INTERACTIVE\n",
            scene -> scene.job("A", "").decide() + ", " + scene.reason("A"),
            ", cannot run in queue instance \"all.q@node02\" because it is not of type batch"),
        proof(
            "pe_list",
            "a parallel job runs in the queue of its environment",
            QUEUE + "pe_list mpi\n",
            scene -> scene.job("A", "-pe mpi 2").decide(),
            "A@all.q@node01@all.q@node02"),
        proof(
            "slots",
            "three jobs run on the first host",
            QUEUE + "slots 3\n",
            scene -> scene.job("A", "").job("B", "").job("C", "").decide(),
            "A@all.q@node01 B@all.q@node01 C@all.q@node01"));
  }

  /** Whose jobs an instance takes. */
  private static List<Proof> users() {
    return List.of(
        proof(
            "user_lists",
            "a user who is in no list waits",
            QUEUE + "user_lists staff\n",
            scene -> scene.members("staff", "boss").job("A", "").reason("A"),
            "has no permission for queue \"all.q@node02\""),
        proof(
            "xuser_lists",
            "a user who is in the list waits",
            QUEUE + "xuser_lists guests\n",
            scene -> scene.members("guests", "someone").job("A", "").reason("A"),
            "has no permission for queue \"all.q@node02\""),
        proof(
            "complex_values",
            "one job at a time gets the consumable of an instance",
            QUEUE + "slots 2\ncomplex_values license=1\n",
            scene -> scene.job("A", "-l license=1").job("B", "-l license=1").decide(),
            "A@all.q@node01 B@all.q@node02"),
        proof(
            "projects",
            "a job without the project waits",
            QUEUE + "projects physics\n",
            scene -> scene.job("A", "").reason("A"),
            "(no project) does not have the correct project to run in queue" + " \"all.q@node02\""),
        proof(
            "xprojects",
            "a job of the project waits",
            QUEUE + "xprojects physics\n",
            scene -> scene.job("A", "-P physics").reason("A"),
            "(project physics) does not have the correct project to run in queue"
                + " \"all.q@node02\""),
        proof(
            "initial_state",
            "a disabled instance takes no job",
            QUEUE + "initial_state default,[node01=disabled]\n",
            scene -> scene.job("A", "").decide(),
            "A@all.q@node02"));
  }

  private static List<Proof> limits() {
    List<Proof> proofs = new ArrayList<>();
    for (String limit : QueueOptions.LIMIT_NAMES) {
      proofs.add(
          proof(
              limit,
              "a job that requests more does not run in the instance",
              QUEUE + limit + " INFINITY,[node01=10]\n",
              scene -> scene.job("A", "-l " + limit + "=20").decide(),
              "A@all.q@node02"));
    }
    return proofs;
  }

  private static Proof proof(
      String option,
      String shows,
      String text,
      Function<GridEngineScene, String> see,
      String expected) {
    return Proofs.scene(QueueOptions.TABLE, option, shows, text, see, expected);
  }
}
