package io.millrace.ops.broker;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** The broker of a home with a clock that is ahead by as many milliseconds as a file says. */
public final class LeapingBroker {

  private LeapingBroker() {}

  /**
   * @param args folder of the home, file that tells how far the clock is ahead
   */
  public static void main(String[] args) throws Exception {
    BrokerMain.serve(new Home(Path.of(args[0])), false, new LeapingTime(Path.of(args[1])));
  }

  /** The wall clock leaps; what measures lengths of time does not, as on any host. */
  private record LeapingTime(Path file) implements Time {

    private long aheadMs() {
      try {
        return Long.parseLong(Files.readString(file).strip());
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long milliseconds() {
      return SYSTEM.milliseconds() + aheadMs();
    }

    @Override
    public long hiResClockMs() {
      return SYSTEM.hiResClockMs();
    }

    @Override
    public long nanoseconds() {
      return SYSTEM.nanoseconds();
    }

    @Override
    public void sleep(long ms) {
      SYSTEM.sleep(ms);
    }

    @Override
    public void waitObject(Object on, Supplier<Boolean> condition, long deadlineMs)
        throws InterruptedException {
      SYSTEM.waitObject(on, condition, deadlineMs - aheadMs());
    }
  }
}
