package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.HostOptions;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What each option of host_conf and hostgroup changes. */
final class HostProofs {

  private HostProofs() {}

  static List<Proof> list() {
    return Stream.of(amounts(), users(), groups()).flatMap(List::stream).toList();
  }

  private static List<Proof> amounts() {
    return List.of(
        proof(
            "hostname",
            "the amounts are those of the named host",
            "hostname node02\ncomplex_values hmem=4\n",
            scene -> scene.job("A", "-l hmem=4").decide(),
            "A@all.q@node02"),
        proof(
            "load_scaling",
            "the scaled load orders the hosts",
            "hostname node01\nload_values np_load_avg=1.0\nload_scaling np_load_avg=5.0\n",
            scene ->
                scene.host("hostname node02\nload_values np_load_avg=2.0\n").job("A", "").decide(),
            "A@all.q@node02"),
        proof(
            "complex_values",
            "the second job does not fit beside the first",
            "hostname node01\ncomplex_values hmem=4\n",
            scene -> scene.job("A", "-l hmem=3").job("B", "-l hmem=2").decide(),
            "A@all.q@node01"),
        proof(
            "load_values",
            "the host with less load comes first",
            "hostname node01\nload_values np_load_avg=3.0\n",
            scene ->
                scene.host("hostname node02\nload_values np_load_avg=5.0\n").job("A", "").decide(),
            "A@all.q@node01"));
  }

  private static List<Proof> users() {
    return List.of(
        proof(
            "user_lists",
            "a user who is in no list does not run there",
            "hostname node01\nuser_lists staff\n",
            scene -> scene.members("staff", "boss").job("A", "").decide(),
            "A@all.q@node02"),
        proof(
            "xuser_lists",
            "a user who is in the list does not run there",
            "hostname node01\nxuser_lists guests\n",
            scene -> scene.members("guests", "someone").job("A", "").decide(),
            "A@all.q@node02"),
        proof(
            "projects",
            "a job without the project does not run there",
            "hostname node01\nprojects physics\n",
            scene -> scene.job("A", "").decide(),
            "A@all.q@node02"),
        proof(
            "xprojects",
            "a job of the project does not run there",
            "hostname node01\nxprojects physics\n",
            scene -> scene.job("A", "-P physics").decide(),
            "A@all.q@node02"));
  }

  private static List<Proof> groups() {
    return List.of(
        group(
            "group_name",
            "the queue's exception for the group holds on its hosts",
            scene ->
                scene
                    .queue("qname all.q\nhostlist node01 @big\nslots 1\n")
                    .job("A", "-q *@@big")
                    .decide()),
        group(
            "hostlist",
            "the queue has an instance on the group's host",
            scene -> scene.queue("qname all.q\nhostlist @big\nslots 1\n").job("A", "").decide()));
  }

  private static Proof proof(
      String option,
      String shows,
      String text,
      Function<GridEngineScene, String> see,
      String expected) {
    return Proofs.scene(HostOptions.TABLE, option, shows, text, see, expected);
  }

  private static Proof group(String option, String shows, Function<GridEngineScene, String> see) {
    return new Proof(
        HostOptions.GROUP,
        option,
        shows,
        "group_name @big\nhostlist node08\n",
        settings -> {
          try {
            return see.apply(new GridEngineScene().set(settings));
          } catch (ConfigurationRefused e) {
            return e.getMessage();
          }
        },
        "A@all.q@node08");
  }
}
