package io.millrace.ops.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heap with which a part begins that reads its state when it starts. An idle installation keeps
 * the small heap of the part's own options; behind a deep queue such a heap is collected hundreds
 * of times while a million jobs are read, so there it begins larger (docs/decisions/0080).
 */
public final class HeapAtStart {

  /** JVM option that names the folder of the state; a part without it has no state to read. */
  public static final String STATE = "-Dmillrace.state=";

  private static final Logger LOG = LoggerFactory.getLogger(HeapAtStart.class);

  private static final String MAX = "-Xmx";
  private static final String FIRST = "-Xms";
  private static final String YOUNG = "-XX:NewSize=";

  /** A larger young generation was no faster with a million jobs. */
  private static final long YOUNG_MAX_MIB = 96;

  private HeapAtStart() {}

  /** A part's arguments as they are at this start, with room for the state that it will read. */
  static List<String> atStart(List<String> arguments) {
    long stateMiB =
        arguments.stream()
            .filter(argument -> argument.startsWith(STATE))
            .mapToLong(argument -> sizeMiB(Path.of(argument.substring(STATE.length()))))
            .sum();
    long limitMiB =
        arguments.stream()
                .filter(it -> it.startsWith(MAX))
                .mapToLong(HeapAtStart::maxMiB)
                .max()
                .orElse(0)
            / 2;
    return arguments.stream()
        .map(
            argument -> {
              if (argument.startsWith(FIRST)) {
                return larger(FIRST, argument, stateMiB / 2, limitMiB);
              }
              return argument.startsWith(YOUNG)
                  ? larger(YOUNG, argument, stateMiB / 6, Math.min(YOUNG_MAX_MIB, limitMiB / 2))
                  : argument;
            })
        .toList();
  }

  private static String larger(String option, String argument, long more, long limit) {
    long first = mib(argument.substring(option.length()));
    return option + Math.max(first, Math.min(first + more, limit)) + "m";
  }

  private static long maxMiB(String argument) {
    return mib(argument.substring(MAX.length()));
  }

  private static long mib(String size) {
    long number = Long.parseLong(size.substring(0, size.length() - 1));
    return size.endsWith("g") ? number << 10 : number;
  }

  private static long sizeMiB(Path folder) {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    Sum sum = new Sum();
    try {
      Files.walkFileTree(folder.toRealPath(), sum); // the stores may lie on another disk
    } catch (IOException e) {
      // No reason not to start, which is slower with a small heap.
      LOG.warn("the size of the state in {} cannot be told: {}", folder, e.toString());
    }
    return sum.bytes >> 20;
  }

  private static final class Sum extends SimpleFileVisitor<Path> {
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes += attributes.size();
      return FileVisitResult.CONTINUE;
    }

    /** A store that another process still closes removes files meanwhile. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
