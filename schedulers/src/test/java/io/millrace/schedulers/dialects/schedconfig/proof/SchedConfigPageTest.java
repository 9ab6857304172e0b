package io.millrace.schedulers.dialects.schedconfig.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about the options of sched_config is generated from the table and the tests. */
class SchedConfigPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/sched-config.md");

  private static final int WIDTH = 120;

  private static final String HEAD =
      """
      # PBS's sched_config

      Made from the table of options and its tests; do not edit. To make it anew after a change:
      `./mvnw -pl schedulers -am test -Dtest=SchedConfigPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

          ./millrace policy check /var/spool/pbs/sched_priv
          ./millrace policy explain /var/spool/pbs/sched_priv
          ./millrace policy load default /var/spool/pbs/sched_priv
          ./millrace simulate TRACE --policy /var/spool/pbs/sched_priv
          ./millrace simulate --case DIR --compare

      `check` reads `sched_config`, `holidays`, `dedicated_time` and `resource_group` of a folder, or one of them, known
      by what stands in it. OpenPBS logs a wrong line and goes on; here it is refused, with file, line, the reason, and
      what OpenPBS does with it: some wrong values it takes all the same. `--as-pbs` takes the lines so, and tells them
      as notes. Names that are out of date are told in OpenPBS's words and do what they do there. `explain` says what
      each option means and changes.

      `simulate --case` plays a recorded session of a PBS server: its nodes, queues and jobs go through the cycle that
      the live engine runs, by the files of its `sched_priv`, with a virtual clock. `--out FILE` writes what became of
      it, `--compare` names what differs from the recording (status 1; usages may differ by `--tolerance N`). It takes
      the files as OpenPBS does. `simulate TRACE --policy FOLDER` replays a [trace](simulate.md) by the files.

      `load` makes the files the policy of a scheduler object: `policy` becomes `sched_config`, all files are one
      attribute of the object and one change, which the server checks again, and the next cycle goes by them; what runs
      and waits stays. A wrong line changes nothing. A text that the server took once and that cannot be read any more
      starts nothing: `why` says so, with file, line and reason. With `update_comments: false` `qstat -f` shows no comment
      of a job that waits; `why` answers all the same. What `resources` does not list a job takes as it asks for it, so
      that a node can have more in use than it has; `qrun` and reservations are held against all that there is, whatever
      the file says. Attributes of the object of the same names (`by_queue`,
      `strict_ordering`, `node_sort_key` and others) count only under other policies. Times of `holidays` and
      `dedicated_time` are those of this host's time zone, or of `--zone Europe/Berlin`. `policy show` prints the files.

      `load --follow` also sets `policy_folder`: what is written into `sched_config`, `holidays`, `dedicated_time` and
      `resource_group` of that folder from then on is loaded within some five seconds, without a command, as one change of the
      scheduler object. The gateway reads them on its host, in a cluster the one of the home
      [whose files count](kafka.md#homes-that-join); only root and its own account may write them, or any folder above. A
      state of the files that cannot be obeyed changes nothing: `policy_problem` of the scheduler object, `./millrace status`
      and the scheduler's log say why. PBS's scheduler reads them when it is told to. A later `load` without `--follow`,
      `unset sched NAME policy_folder` or another policy ends it.

      ## Fair share

          pbsfs                  # everybody: shares, usage, part of everything
          pbsfs -g ann           # one with its way from the top
          pbsfs -s ann 1000      # sets what ann has used; -d lets all fade once, -e forgets who is not in the file
          why 12                 # share, usage and factor of the job's entity, and who stands before it

      What entities have used is kept by the server, for each scheduler object: what a run used is charged once, however
      often anything is killed; while it runs each minute, where more than 2,000 run in a shard in turn, and the rest at
      its end. What a run used whose host is lost is not known, and not charged beyond what was told. Usage is counted in
      thousandths, is never below 1, and fades by the server's time, also while nothing runs. There are at most 20,000
      entities of a scheduler object; what others use is used by the group `unknown`. `pbsfs` is for managers; it need
      not have the scheduler stopped. `set sched NAME preempt_prio` may name the level `fairshare`, and a formula
      `fairshare_perc`, `fairshare_tree_usage` and `fairshare_factor`, which are 0 without fair share.

      ## Programs that say what the server has

          server_dyn_res: "scratch !/opt/site/scratch-free /big"

      The first line that the program says is what the server has of the resource: jobs that ask for more wait, and each
      start takes from it. Where the resource has the flag `q`, it is all that there is of it, and what running jobs have
      is subtracted. Otherwise it is what there is beside them: what runs when the server decides the fact of a round does
      not count, what starts after that does. A job that starts after its program has spoken and before that fact, which
      comes after the round, is taken for one of which the program knew: for that time it can be counted too little, until
      the next round has seen it. A job asks with `-l scratch=2gb` for a resource without the flag `h`, once for all of its
      chunks.

          why 12                         # what the program said last, since when, and whether it can be read now
          qmgr -c "list sched default server_dyn_res,policy_inputs"

      The server asks the programs of a scheduler object when they are named, and 10 seconds after the last round again, on
      the host that has the scheduler's shard. It looks each second whether a round is due; those of a shard are asked one
      after the other, so that new ones wait for the round that goes on. No cycle waits for one: a cycle goes by what was
      said last. Each new content is one fact in the ledger, so that an engine apart, a shadow and a replay go by the
      same. Before a program has said anything there is nothing of its resource.

      - A program that others than root or the server's account may write, or that lies below a folder which they may
        change, is not run; nor is one with a set-user-id bit, or one that is reached by a symbolic link.
      - It runs [as `nobody`](mail.md#as-whom-a-program-runs), or whom root names, without a shell: words are what stands
        between blanks. Nothing that it starts gets rights by a set-user-id bit.
      - After `server_dyn_res_alarm` seconds (usually 30; 0, and more than 600, are 600) it is ended, and at its end, in any
        case, what it started is killed with its process group. What has left that group (`setsid`, a shell's job control)
        goes on. It may say 64 KiB.
      - A home that is not root's has no rights to drop: there the program runs as the home's owner, and can do whatever he
        can, which is all of the service. Let nobody be a manager there who may not be that user.
      - One that is not run, is ended, says nothing, says a part of a line while what it left may say more, or says what is
        no amount of the resource keeps what it said last. The [day log](logs.md) of the scheduler, `./millrace status` and
        `why` tell it with the reason. How it ends does not matter.
      - At most 50 resources of a scheduler object have a program. [Best-effort jobs](best-effort.md) do not wait for them.

      ## What is done better than by OpenPBS

      - A program of `server_dyn_res` that fails keeps what it said last; in OpenPBS there is nothing then. One that does
        not exist is a failure too; in OpenPBS everybody gets the resource. `simulate --case` does as OpenPBS.
      - No cycle waits for such a program; in OpenPBS each cycle waits for all of them.
      - A job that ends between two cycles is charged for all that it used; in OpenPBS it costs nothing, and what a job
        used after the last cycle before its end is never counted. `simulate --case` does as OpenPBS.
      - A period that begins, and a dedicated time that begins or ends, is a moment at which a cycle is due.
        `simulate --case` has the cycles of the recording.
      - Where prime and non-prime time begin at the same moment, all the day is non-prime and the period does not end;
        OpenPBS takes that moment for its end.
      - Without `dedicated_prefix` no queue is for dedicated time; OpenPBS takes all for such, and starts nothing
        outside. `simulate --case` does as OpenPBS.
      - Of two dedicated times that meet the second holds from its first second.
      - A job that can never run keeps nobody waiting where `strict_ordering` goes without backfilling; in OpenPBS nobody
        starts behind it.

      ## Options

      Those with a star can have one value in prime time and another in non-prime time: `prime`, `non_prime`, `all` or
      `none` stands behind the value, `all` where nothing does. A later line replaces an earlier one; lists and keys add
      up.

      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(HEAD);
    SchedConfigOptions.all().forEach(option -> page.append(row(option)));
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page.toString(), Files.exists(PAGE) ? Files.readString(PAGE) : "");
  }

  private static String row(SchedConfigOption option) {
    String star = option.starred() ? " \\*" : "";
    String usual = option.usual().isEmpty() ? "" : "usually `" + option.usual() + "`; ";
    String standing =
        switch (option.standing()) {
          case ACTS -> "";
          case OLD -> "; out of date, and still obeyed";
          case GONE -> "; out of date, without effect";
          case ABSENT -> "; refused";
        };
    String head =
        "- `"
            + option.name()
            + "`"
            + star
            + " ("
            + usual
            + option.form().expected()
            + standing
            + "):";
    return wrapped(head, "  ") + wrapped("  " + sentence(option), "  ");
  }

  private static String sentence(SchedConfigOption option) {
    String shows =
        SchedConfigProofs.all().stream()
            .filter(proof -> proof.option().equals(option.name()))
            .map(proof -> " Test: " + proof.shows() + ".")
            .findAny()
            .orElse("");
    return capital(option.meaning()) + ". " + capital(option.changes()) + "." + shows;
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String wrapped(String text, String indent) {
    StringBuilder lines = new StringBuilder();
    String rest = text;
    while (rest.length() > WIDTH) {
      int end = rest.lastIndexOf(' ', WIDTH);
      lines.append(rest, 0, end).append('\n');
      rest = indent + rest.substring(end + 1);
    }
    return lines.append(rest).append('\n').toString();
  }
}
