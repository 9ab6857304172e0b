package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The administrator of a system that {@link PeerScript} has started, and his commands there. */
public enum PeerAdministrator {
  SLURM {
    @Override
    List<String> words(AdministratorOrder order, long number) {
      String job = Long.toString(number);
      return switch (order) {
        case CANCEL -> List.of("/usr/bin/scancel", job);
        case HOLD -> List.of("/usr/bin/scontrol", "hold", job);
        case RELEASE -> List.of("/usr/bin/scontrol", "release", job);
        case REQUEUE -> List.of("/usr/bin/scontrol", "requeue", job);
        case SUSPEND -> List.of("/usr/bin/scontrol", "suspend", job);
        case RESUME -> List.of("/usr/bin/scontrol", "resume", job);
        case CLOSE_QUEUE -> update("PartitionName=batch", "State=DOWN");
        case OPEN_QUEUE -> update("PartitionName=batch", "State=UP");
        case DRAIN -> update("NodeName=" + host(), "State=DRAIN", "Reason=kit");
        case UNDRAIN -> update("NodeName=" + host(), "State=RESUME");
      };
    }
  },
  GRID_ENGINE {
    @Override
    List<String> words(AdministratorOrder order, long number) {
      String job = Long.toString(number);
      return switch (order) {
        case CANCEL -> List.of("/usr/bin/qdel", job);
        case HOLD -> List.of("/usr/bin/qhold", "-h", "o", job);
        case RELEASE -> List.of("/usr/bin/qrls", "-h", "o", job);
        case REQUEUE -> List.of("/usr/bin/qmod", "-f", "-rj", job);
        case SUSPEND -> List.of("/usr/bin/qmod", "-sq", QUEUE);
        case RESUME -> List.of("/usr/bin/qmod", "-usq", QUEUE);
        case CLOSE_QUEUE, DRAIN -> List.of("/usr/bin/qmod", "-d", QUEUE);
        case OPEN_QUEUE, UNDRAIN -> List.of("/usr/bin/qmod", "-e", QUEUE);
      };
    }
  };

  private static final String QUEUE = "mr.q";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int SAID_MOST = 100_000;

  /** What he does, to a job or to all of the system. */
  public enum AdministratorOrder {
    CANCEL,
    HOLD,
    RELEASE,
    REQUEUE,
    SUSPEND,
    RESUME,
    CLOSE_QUEUE,
    OPEN_QUEUE,
    DRAIN,
    UNDRAIN
  }

  /** The words of an order. */
  abstract List<String> words(AdministratorOrder order, long number);

  private static List<String> update(String... words) {
    List<String> all = new ArrayList<>(List.of("/usr/bin/scontrol", "update"));
    all.addAll(List.of(words));
    return all;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the system's commands find around them. */
  public Map<String, String> environment() {
    return this == SLURM
        ? Map.of()
        : Map.of("SGE_ROOT", "/var/lib/gridengine", "SGE_CELL", "default");
  }

  /**
   * Gives an order.
   *
   * @param number of the job; of no matter where it is none of a job
   */
  public OutsideAnswer give(AdministratorOrder order, long number) throws InterruptedException {
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                words(order, number), new byte[0], environment(), PATIENCE, SAID_MOST));
  }
}
