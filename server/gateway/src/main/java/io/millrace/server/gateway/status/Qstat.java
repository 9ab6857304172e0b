package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.OutsidePicture;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.SubjobList;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.Listing;
import io.millrace.server.gateway.print.ObjectText;
import io.millrace.server.gateway.print.QueueCounts;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** qstat: jobs, queues and the server. */
final class Qstat implements Command {

  private static final int NO_CONNECTION = 255;

  private static final String QUEUE_HEAD =
      """
      Queue              Max   Tot Ena Str   Que   Run   Hld   Wat   Trn   Ext Type
      ---------------- ----- ----- --- --- ----- ----- ----- ----- ----- ----- ----
      """;

  private static final String SERVER_HEAD =
      """
      Server             Max   Tot   Que   Run   Hld   Wat   Trn   Ext Status
      ---------------- ----- ----- ----- ----- ----- ----- ----- ----- -----------
      """;

  private static final String LIMITS_HEAD =
      """

      Queue            Memory CPU Time Walltime Node   Run   Que   Lm  State
      ---------------- ------ -------- -------- ---- ----- ----- ----  -----
      """;

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public int unreachableStatus() {
    return NO_CONNECTION;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(QstatOptions.LETTERS, QstatOptions.USAGE));
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    QstatOptions options = QstatOptions.parse(call);
    return switch (options.subject()) {
      case JOBS -> jobs(call, options);
      case QUEUES, QUEUE_LIMITS -> queues(call, options);
      case SERVERS -> servers(call, options);
    };
  }

  private static int jobs(Call call, QstatOptions options)
      throws Failure, LinkException, QueryException, InterruptedException {
    if (options.history() && hasNoHistory(call)) {
      return 0;
    }
    JobPrinter printer = new JobPrinter(call, options);
    int status = 0;
    List<String> operands = options.operands().isEmpty() ? List.of("@") : options.operands();
    for (String operand : operands) {
      int result =
          JobIds.looksLikeJob(operand)
              ? job(call, options, printer, operand)
              : destination(call, options, printer, operand);
      status = result == 0 ? status : result;
    }
    printer.end();
    return status;
  }

  /** Says so where ended jobs are not kept, which as in PBS is no failure. */
  static boolean hasNoHistory(Call call) {
    boolean none =
        call.site().serverAttribute("job_history_enable").filter("False"::equals).isPresent();
    if (none) {
      call.complain(PbsError.HISTORY_OFF.text());
    }
    return none;
  }

  private static int job(Call call, QstatOptions options, JobPrinter printer, String text)
      throws QueryException, InterruptedException {
    JobIds.ArrayPart part = JobIds.part(text, call.site().server()).orElse(null);
    if (part != null) {
      return several(call, options, printer, part);
    }
    JobIds.JobId id = JobIds.parse(text, call.site().server()).orElse(null);
    if (id == null) {
      call.complain("illegally formed job identifier: " + text);
      return 1;
    }
    Job job = SubjobList.job(call.site().queries(), id).orElse(null);
    if (job == null) {
      return JobList.unseen(call, id, id.id());
    }
    if (SubjobList.old(job) && !options.history()) {
      String hint = " Job has finished, use -x or -H to obtain historical job information";
      call.complain(id.id() + hint);
      return PbsError.JOB_FINISHED.exitStatus();
    }
    named(call, options, job, printer);
    return 0;
  }

  /** A job that is named is shown whatever the options ask for, with -t an array's subjobs too. */
  private static void named(Call call, QstatOptions options, Job job, JobPrinter printer)
      throws QueryException, InterruptedException {
    if (!options.has('t') || !isArray(job)) {
      printer.print(job);
      return;
    }
    SubjobList.of(
        call.site().queries(),
        job,
        one -> {
          if (options.history() || !SubjobList.old(one)) {
            printer.print(one);
          }
        });
  }

  private static boolean isArray(Job job) {
    return job.getArray() != null && !JobNumbers.isSubjob(job.getNumber());
  }

  /** Some subjobs of an array. */
  private static int several(
      Call call, QstatOptions options, JobPrinter printer, JobIds.ArrayPart part)
      throws QueryException, InterruptedException {
    Job array = SubjobList.job(call.site().queries(), part.array()).orElse(null);
    if (array == null) {
      return JobList.unseen(call, part.array(), part.id());
    }
    SubjobList.of(
        call.site().queries(),
        array,
        job -> {
          boolean named =
              JobNumbers.isSubjob(job.getNumber()) && part.has(JobNumbers.index(job.getNumber()));
          if (named && (options.history() || !SubjobList.old(job))) {
            printer.print(job);
          }
        });
    return 0;
  }

  /** A job, with -t an array and its subjobs, as far as the options ask for them. */
  private static void listed(
      Call call, QstatOptions options, Job job, StartOrder.OrderedJobConsumer each)
      throws QueryException, InterruptedException {
    SubjobList.SubjobConsumer chosen =
        one -> {
          boolean subjob = JobNumbers.isSubjob(one.getNumber());
          boolean array = !subjob && one.getArray() != null;
          boolean kind = !options.has('J') || (options.has('t') ? subjob : array);
          boolean old = SubjobList.old(one) && !options.history();
          if (kind && !old && wanted(options, one)) {
            each.accept(one);
          }
        };
    if (options.has('t') && isArray(job)) {
      SubjobList.of(call.site().queries(), job, chosen);
    } else {
      chosen.accept(job);
    }
  }

  private static int destination(
      Call call, QstatOptions options, JobPrinter printer, String destination)
      throws Failure, LinkException, QueryException, InterruptedException {
    if (destination.isEmpty() || !(destination.equals("@") || Destinations.legal(destination))) {
      call.complain("illegally formed destination: " + destination);
      return 1;
    }
    Optional<OutsidePicture> outside = outside(call, destination);
    if (outside.isPresent()) {
      OutsideJobs.print(call, options, outside.get());
      return 0;
    }
    JobFilter filter = JobFilter.all(options.history(), call.invocation().user());
    String queue =
        destination.equals("@") ? "" : Destinations.queue(call, destination, NO_CONNECTION);
    if (!queue.isEmpty()) {
      if (KnownQueues.find(call.site(), queue).isEmpty()) {
        call.complain(PbsError.UNKNOWN_QUEUE.text() + " destination " + destination);
        return PbsError.UNKNOWN_QUEUE.exitStatus();
      }
      filter = filter.inQueue(queue);
    }
    JobFilter chosen = options.onlyUser().map(filter::ownedBy).orElse(filter);
    StartOrder.RepeatableJobList source =
        each ->
            call.site()
                .queries()
                .jobs(
                    chosen,
                    job -> {
                      listed(call, options, job, each);
                      return !call.invocation().clientGone();
                    });
    if (options.has('T') && options.format() == QstatOptions.QstatFormat.ALTERNATE) {
      new StartOrder(printer).print(source);
    } else {
      source.list(printer::print);
    }
    return 0;
  }

  /** The cluster of {@code @CLUSTER}, unless that is the server. */
  private static Optional<OutsidePicture> outside(Call call, String destination)
      throws InterruptedException {
    String name = destination.startsWith("@") ? destination.substring(1) : "";
    return name.isEmpty() || JobIds.names(name, call.site().server())
        ? Optional.empty()
        : call.site().cluster().outside(name);
  }

  private static boolean wanted(QstatOptions options, Job job) {
    JobStatus status = job.getStatus();
    boolean running = status == JobStatus.RUNNING;
    boolean finished = status == JobStatus.FINISHED;
    return options.wantsUser(job)
        && (!options.has('H') || finished)
        && (!options.has('r') || running)
        && (!options.has('i') || (!running && !finished));
  }

  private static int queues(Call call, QstatOptions options)
      throws Failure, LinkException, QueryException, InterruptedException {
    int status = 0;
    Inventory inventory = new Inventory(call.site());
    List<ClusterObject> chosen = new ArrayList<>();
    if (options.operands().isEmpty()) {
      chosen.addAll(inventory.queuesOfAll());
    }
    for (String operand : options.operands()) {
      if (!Destinations.legal(operand)) {
        call.complain("illegal 'destination' value");
        status = 1;
        continue;
      }
      Optional<OutsidePicture> outside = outside(call, operand);
      if (outside.isPresent()) {
        OutsideJobs.queues(call, options, outside.get());
        continue;
      }
      String name = Destinations.queue(call, operand, NO_CONNECTION);
      if (name.isEmpty()) {
        chosen.addAll(inventory.queuesOfAll());
      } else {
        Optional<ClusterObject> queue = KnownQueues.find(call.site(), name);
        queue.ifPresent(chosen::add);
        if (queue.isEmpty()) {
          call.complain(PbsError.UNKNOWN_QUEUE.text() + " " + operand);
          status = PbsError.UNKNOWN_QUEUE.exitStatus();
        }
      }
    }
    if (!chosen.isEmpty()) {
      if (options.subject() == QstatOptions.Subject.QUEUE_LIMITS) {
        limits(call, options, inventory, chosen);
      } else if (options.format() == QstatOptions.QstatFormat.TABLE) {
        StringBuilder out = new StringBuilder(QUEUE_HEAD);
        for (ClusterObject queue : chosen) {
          out.append(ObjectText.queueRow(queue, inventory.counts(queue.getName())));
        }
        call.out(out.toString());
      } else {
        full(call, options, "Queue", chosen, inventory);
      }
    }
    return status;
  }

  private static void limits(
      Call call, QstatOptions options, Inventory inventory, List<ClusterObject> queues)
      throws QueryException, InterruptedException {
    StringBuilder out = new StringBuilder("\nserver: " + call.site().server() + "\n");
    out.append(LIMITS_HEAD);
    long running = 0;
    long waiting = 0;
    for (ClusterObject queue : queues) {
      QueueCounts counts = inventory.counts(queue.getName());
      out.append(ObjectText.limitsRow(queue, counts, options.sizes()));
      running += counts.of(JobStatus.RUNNING);
      waiting += counts.total() - counts.of(JobStatus.RUNNING) - counts.of(JobStatus.EXITING);
    }
    out.append(" ".repeat(47)).append("----- -----\n");
    out.append(String.format("%s%5d %5d\n", " ".repeat(47), running, waiting));
    call.out(out.toString());
  }

  private static int servers(Call call, QstatOptions options)
      throws Failure, QueryException, InterruptedException {
    for (String name : options.operands()) {
      if (!JobIds.names(name, call.site().server())) {
        throw Destinations.unknownHost(call, NO_CONNECTION);
      }
    }
    Inventory inventory = new Inventory(call.site());
    List<ClusterObject> servers = inventory.all(ObjectKind.SERVER);
    if (options.format() == QstatOptions.QstatFormat.TABLE) {
      StringBuilder out = new StringBuilder(SERVER_HEAD);
      String state = inventory.serverState();
      out.append(ObjectText.serverRow(call.site().server(), inventory.counts(), state));
      call.out(out.toString());
    } else {
      full(call, options, "Server", servers, inventory);
    }
    return 0;
  }

  /** Queues or the server in full, in the form that the options ask for. */
  private static void full(
      Call call,
      QstatOptions options,
      String title,
      List<ClusterObject> objects,
      Inventory inventory)
      throws QueryException, InterruptedException {
    StringBuilder out = new StringBuilder();
    Json json = new Json(out);
    boolean asJson = options.format() == QstatOptions.QstatFormat.JSON;
    if (asJson) {
      long now = call.site().clock().millis() / 1000;
      json.head(now, Version.text(), call.site().server()).open(title);
    }
    for (ClusterObject object : objects) {
      boolean server = object.getKind() == ObjectKind.SERVER;
      String name = server ? call.site().server() : object.getName();
      List<ShownAttribute> attributes = inventory.attributes(object, null);
      switch (options.format()) {
        case JSON -> json.object(name, attributes);
        case DSV -> Listing.separated(out, title + ": " + name, options.delimiter(), attributes);
        case WIDE -> {
          out.append(title).append(": ").append(name).append('\n');
          Listing.wide(out, "    ", attributes);
          out.append('\n');
        }
        default -> {
          out.append(title).append(": ").append(name).append('\n');
          Listing.wrapped(out, attributes);
          out.append('\n');
        }
      }
    }
    if (asJson) {
      json.close().close();
    }
    call.out(out.toString());
  }
}
