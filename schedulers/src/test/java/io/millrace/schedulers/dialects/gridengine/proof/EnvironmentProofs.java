package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.EnvironmentOptions;
import java.util.List;
import java.util.function.Function;

/** What each option of sge_pe changes. */
final class EnvironmentProofs {

  private EnvironmentProofs() {}

  static List<Proof> list() {
    return List.of(
        proof(
            "pe_name",
            "a job gets the environment that it names",
            "pe_name two\nslots 9\nallocation_rule 1\n",
            scene -> scene.job("A", "-pe two 2").decide(),
            "A@all.q@node01@all.q@node02"),
        proof(
            "slots",
            "the environment's slots limit its jobs",
            "pe_name mpi\nslots 3\nallocation_rule $fill_up\n",
            scene -> scene.job("A", "-pe mpi 1-8").decide(),
            "A@all.q@node01:2@all.q@node02"),
        proof(
            "user_lists",
            "a user who is in no list waits",
            "pe_name mpi\nslots 9\nuser_lists staff\n",
            scene -> scene.members("staff", "boss").job("A", "-pe mpi 1").reason("A"),
            "cannot run because no access to PE \"mpi\""),
        proof(
            "xuser_lists",
            "a user who is in the list waits",
            "pe_name mpi\nslots 9\nxuser_lists guests\n",
            scene -> scene.members("guests", "someone").job("A", "-pe mpi 1").reason("A"),
            "cannot run because no access to PE \"mpi\""),
        proof(
            "allocation_rule",
            "slots are spread one on each host in turn",
            "pe_name mpi\nslots 9\nallocation_rule $round_robin\n",
            scene -> scene.job("A", "-pe mpi 2").decide(),
            "A@all.q@node01@all.q@node02"),
        proof(
            "urgency_slots",
            "the most slots of a range count for its place in the order",
            "pe_name mpi\nslots 9\nallocation_rule $fill_up\nurgency_slots max\n",
            scene -> scene.job("fixed", "-pe mpi 3").job("range", "-pe mpi 2-4").decide(),
            "range@all.q@node01:2@all.q@node02:2"));
  }

  private static Proof proof(
      String option,
      String shows,
      String text,
      Function<GridEngineScene, String> see,
      String expected) {
    return Proofs.scene(EnvironmentOptions.TABLE, option, shows, text, see, expected);
  }
}
