package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.OutsideState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers commands as Torque's public manual and source say that it does. Nothing of it was
 * recorded.
 */
final class FixedTorque implements ReplayedSystem {

  private static final String SERVER =
      """
      Server: vm
          server_state = Active
          scheduling = True
          total_jobs = 1
          default_queue = batch
          log_events = 511
          mail_from = adm
          query_other_jobs = True
          scheduler_iteration = 600
          node_check_rate = 150
          tcp_timeout = 300
          keep_completed = 300
          pbs_version = 6.1.3
          next_job_number = 46

      """;

  private static final String QUEUES =
      """
      Queue: batch
          queue_type = Execution
          total_jobs = 1
          enabled = True
          started = True

      Queue: route
          queue_type = Route

      """;

  private static final String NODES =
      "<Data><Node><name>n1</name><state>free</state><power_state>Running</power_state><np>8</np>"
          + "<ntype>cluster</ntype><status>opsys=linux,ncpus=8,physmem=16333852kb</status>"
          + "<mom_service_port>15002</mom_service_port></Node>"
          + "<Node><name>n2</name><state>down,offline</state><np>4</np></Node></Data>\n";

  private static final String FIELDS =
      "user=pbsu1 group=pbsu1 account=%s jobname=h1 queue=batch ctime=1795189097"
          + " qtime=1795189097 etime=1795189097 start=1795189104 owner=pbsu1@vm exec_host=n1/0"
          + " Resource_List.nodes=1:ppn=1 Resource_List.walltime=00:01:40 session=12791";

  private static final String USED =
      " end=1795189111 Exit_status=271 resources_used.cput=00:00:01 resources_used.mem=1420kb"
          + " resources_used.vmem=2500kb resources_used.walltime=00:00:06";

  private static final OutsideAnswer NO_JOBS =
      answer(0, "<?xml version=\"1.0\"?>\n<Data></Data>\n", "");

  private final Map<String, OutsideAnswer> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private OutsideAnswer queue = answer(0, "", "");
  private String account = "";
  private boolean hidden;

  private static OutsideAnswer answer(int status, String out, String err) {
    return new OutsideAnswer(ProcessEnding.EXITED, status, out, err, Duration.ofMillis(20));
  }

  @Override
  public void says(String program, Said said) {
    String job = " " + ReplayContract.JOB + ".vm\n";
    answers.put(
        program,
        switch (said) {
          case TAKEN -> answer(0, ReplayContract.JOB + ".vm\n", "");
          case NO_QUEUE ->
              answer(170, "", "qsub: submit error (Unknown queue MSG=cannot locate queue)\n");
          case UNREACHABLE ->
              answer(111, "", "qsub: cannot connect to server vm (errno=111) Connection refused\n");
          case DONE -> answer(0, "", "");
          case GONE ->
              answer(
                  168,
                  "",
                  program
                      + ": Request invalid for state of job MSG=invalid state for job - COMPLETE"
                      + job);
          case NOT_ALLOWED ->
              answer(
                  159, "", program + ": Unauthorized Request  MSG=operation not permitted" + job);
        });
  }

  @Override
  public void queue(OutsideState state) {
    String letter =
        switch (state) {
          case WAITING -> "Q";
          case HELD -> "H";
          case RUNNING -> "R";
          case SUSPENDED -> "S";
          case ENDING -> "E";
          case ENDED -> "C";
        };
    boolean began = state != OutsideState.WAITING && state != OutsideState.HELD;
    String ran =
        began
            ? "<exec_host>n1/0</exec_host><start_time>1795189104</start_time><resources_used>"
                + "<cput>00:00:01</cput><mem>1420kb</mem><vmem>2500kb</vmem>"
                + "<walltime>00:00:06</walltime></resources_used>"
            : "";
    String ended = state == OutsideState.ENDED ? "<exit_status>271</exit_status>" : "";
    queue =
        answer(
            0,
            "<?xml version=\"1.0\"?>\n<Data><Job><Job_Id>45.vm</Job_Id><Job_Name>h1</Job_Name>"
                + "<Job_Owner>pbsu1@vm</Job_Owner><job_state>"
                + letter
                + "</job_state><queue>batch</queue><server>vm</server><Account_Name>"
                + account
                + "</Account_Name><ctime>1795189097</ctime>"
                + ran
                + ended
                + "<Resource_List><nodes>1:ppn=1</nodes></Resource_List></Job></Data>\n",
            "");
  }

  @Override
  public void queueWithoutJobs() {
    queue = NO_JOBS;
  }

  @Override
  public void listsHideIt() {
    hidden = true;
  }

  @Override
  public void queueSilent() {
    queue = answer(111, "", "qstat: cannot connect to server vm (errno=111) Connection refused\n");
  }

  @Override
  public List<String> accounting(String letter) {
    String text =
        letter.equals("D")
            ? "requestor=pbsu1@vm"
            : FIELDS.formatted(account) + (letter.equals("E") ? USED : "");
    return List.of("11/20/2026 15:38:31;" + letter + ";" + ReplayContract.JOB + ".vm;" + text);
  }

  @Override
  public long asked(String program) {
    return asked.stream().filter(program::equals).count();
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) {
    List<String> words = new ArrayList<>(command.words());
    words.set(0, command.program());
    asked.add(command.program());
    if (command.program().equals("qsub")) {
      account = words.get(words.indexOf("-A") + 1);
    }
    return switch (String.join(" ", words)) {
      case "qstat -x @vm" -> hidden ? NO_JOBS : queue;
      case "qstat -x " + ReplayContract.JOB + ".vm" ->
          queue == NO_JOBS
              ? answer(153, "", "qstat: Unknown Job Id Error " + ReplayContract.JOB + ".vm\n")
              : queue;
      case "qstat -B -f vm" -> answer(0, SERVER, "");
      case "qstat -Q -f @vm" -> answer(0, QUEUES, "");
      case "pbsnodes -x -s vm" -> answer(0, NODES, "");
      default -> answers.get(command.program());
    };
  }
}
