package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.AccessListOptions;
import java.util.List;

/** What each option of access_list changes. */
final class AccessListProofs {

  private AccessListProofs() {}

  static List<Proof> list() {
    return List.of(
        proof("name", "the queue that asks for the list takes its user's job"),
        proof("entries", "the queue takes the job of the user who is in the list"));
  }

  private static Proof proof(String option, String shows) {
    return new Proof(
        AccessListOptions.TABLE,
        option,
        shows,
        "name staff\nentries boss someone\n",
        settings ->
            new GridEngineScene()
                .set(settings)
                .queue("qname all.q\nhostlist node01\nuser_lists staff\n")
                .job("A", "")
                .decide(),
        "A@all.q@node01");
  }
}
