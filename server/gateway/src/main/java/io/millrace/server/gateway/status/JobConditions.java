package io.millrace.server.gateway.status;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.HoldLetters;
import io.millrace.server.gateway.operand.PosixDate;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.status.SelectOperator.SelectCondition;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The conditions of qselect, one per option. */
final class JobConditions {

  /** Whether a job is wanted. */
  interface Condition {
    boolean holds(Job job) throws QueryException, InterruptedException;
  }

  /** Some time of a job; empty while it has none. */
  interface JobTime {
    OptionalLong of(Job job) throws QueryException, InterruptedException;
  }

  private static final String STATES = "BEFHMQRSTUWX";
  private static final Pattern CHECKPOINT = Pattern.compile("[nsu]|[cw](=\\d+)?");
  private static final Pattern ONE_USER = Pattern.compile("\\+?([^\\s,@+-][^\\s,@]*)(@[^,]*)?");
  private static final Pattern PRIORITY = Pattern.compile("[+-]?\\d{1,9}");

  private JobConditions() {}

  /** Option -s: the state is one of these letters. */
  static Condition state(String text) throws IllegalValue {
    SelectCondition wanted = unordered(text);
    String letters = wanted.value();
    if (letters.isEmpty() || !letters.chars().allMatch(c -> STATES.indexOf(c) >= 0)) {
      throw new IllegalValue();
    }
    return job -> wanted.holds(letters.contains(JobAttributeText.state(job)) ? 0 : 1);
  }

  /** Option -h: the job has these holds and no others. */
  static Condition holds(String text) throws IllegalValue {
    SelectCondition wanted = unordered(text);
    if (!wanted.value().equals("n") && !HoldLetters.valid(wanted.value())) {
      throw new IllegalValue();
    }
    Set<Integer> letters = letters(wanted.value());
    return job ->
        wanted.holds(letters(JobAttributeText.holds(job.getHolds())).equals(letters) ? 0 : 1);
  }

  private static Set<Integer> letters(String holds) {
    return holds.chars().boxed().collect(Collectors.toUnmodifiableSet());
  }

  /** -c: in the order n, s, c=minutes, c, u; no job of this system is checkpointed. */
  static Condition checkpoint(String text) throws IllegalValue {
    SelectCondition wanted = ordered(text);
    String value = wanted.value().strip();
    if (!CHECKPOINT.matcher(value).matches()) {
      throw new IllegalValue();
    }
    boolean same = value.equals("u");
    return job -> wanted.holds(same ? 0 : -1);
  }

  /** Option -p: compares the priority. */
  static Condition priority(Call call, String text) throws Failure, IllegalValue {
    SelectCondition wanted = ordered(text);
    if (!PRIORITY.matcher(wanted.value()).matches()) {
      throw call.failure(PbsError.ILLEGAL_VALUE);
    }
    int value = Integer.parseInt(wanted.value());
    return job -> wanted.holds(Integer.compare(job.getSpec().getPriority(), value));
  }

  /** Option -r, y or n: whether the job may run again. */
  static Condition rerunnable(String text) throws IllegalValue {
    String value = text.strip();
    if (!value.equals("y") && !value.equals("n")) {
      throw new IllegalValue();
    }
    return job -> job.getSpec().getRerunnable() == value.equals("y");
  }

  /** Option -u: the owner is allowed by the list, which has the form of an access list. */
  static Condition users(String text) throws IllegalValue {
    boolean gap = Stream.of(text.split(",", -1)).anyMatch(String::isBlank);
    if (gap || !AccessList.USERS.valid(text)) {
      throw new IllegalValue();
    }
    return job ->
        AccessList.allowsUser(text, job.getSpec().getOwner(), job.getSpec().getSubmitHost());
  }

  /** The only user whose jobs such a list can be about; empty when there may be more. */
  static Optional<String> onlyUser(String text) {
    Matcher one = ONE_USER.matcher(text);
    return one.matches() ? Optional.of(one.group(1)) : Optional.empty();
  }

  /** -t and -a: a time, to the second. A job without it is only unlike every time. */
  static Condition time(JobTime time, String text, Clock clock) throws IllegalValue {
    SelectCondition wanted = ordered(text);
    Optional<Long> wantedMs = PosixDate.parse(wanted.value(), ZonedDateTime.now(clock));
    if (wantedMs.isEmpty()) {
      throw new IllegalValue();
    }
    return compared(time, wanted, wantedMs.get() / 1000);
  }

  /** -tg: a duration, to the second. A job without it is only unlike every duration. */
  static Condition duration(JobTime time, String text) throws IllegalValue {
    SelectCondition wanted = ordered(text);
    long second = AttributeType.parseSeconds(wanted.value()).orElseThrow(IllegalValue::new);
    return compared(time, wanted, second);
  }

  private static Condition compared(JobTime time, SelectCondition wanted, long second) {
    return job -> {
      OptionalLong ms = time.of(job);
      return ms.isPresent() && ms.getAsLong() >= 0
          ? wanted.holds(Long.compare(ms.getAsLong() / 1000, second))
          : wanted.operator() == SelectOperator.NE;
    };
  }

  /** One resource of -l, as it is in Resource_List; a job that asked for none of it has less. */
  static Condition resource(String name, SelectCondition wanted, ResourceTable table)
      throws IllegalValue, RequestException {
    ResourceDefinition resource =
        table
            .find(name)
            .orElseThrow(() -> new RequestException(PbsError.UNKNOWN_RESOURCE, ": " + name));
    if (resource.kind() == ResourceKind.STRING) {
      return job ->
          wanted.holds(
              JobAttributeText.resource(job, name)
                  .map(it -> it.compareTo(wanted.value()))
                  .orElse(-1));
    }
    if (resource.kind() == ResourceKind.BOOLEAN && !wanted.unordered()) {
      throw new IllegalValue();
    }
    long amount = Amounts.parse(resource, wanted.value());
    return job ->
        wanted.holds(compare(resource, JobAttributeText.resource(job, name).orElse(""), amount));
  }

  private static int compare(ResourceDefinition resource, String has, long amount) {
    try {
      return has.isEmpty() ? -1 : Long.compare(Amounts.parse(resource, has), amount);
    } catch (RequestException e) {
      // The resource was of another type when the job was submitted.
      return -1;
    }
  }

  static SelectCondition ordered(String text) throws IllegalValue {
    return SelectOperator.read(text).orElseThrow(IllegalValue::new);
  }

  static SelectCondition unordered(String text) throws IllegalValue {
    SelectCondition wanted = ordered(text);
    if (!wanted.unordered()) {
      throw new IllegalValue();
    }
    return wanted;
  }

  /** The value of an option cannot be read. */
  static final class IllegalValue extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
