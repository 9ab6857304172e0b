package io.millrace.schemas.pbs.origin;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What users have started lately: their figures as entities of a scheduler, beside those of fair
 * share and told apart by the beginning of their names. A figure's thousandth is a thousand, so
 * that the least of an entity is none of its figure.
 */
public final class StartUsage {
  /** Up to which walltime a job is short, seconds. */
  private static final long SHORT_S = 1200;

  private static final long LONG_JOB = 10;
  private static final long SHORT_JOB = 1;
  private static final String NO_GROUP = "???";
  private static final String PREFIX = "origin2000/";
  private static final double MILLIONTHS = 1e6;

  private StartUsage() {}

  /** What a job of this walltime costs its user; below 0: it asks for none. */
  public static long charge(long walltimeS) {
    return walltimeS < 0 || walltimeS > SHORT_S ? LONG_JOB : SHORT_JOB;
  }

  /** Name of the entity for the owner of a job. */
  public static String entity(JobSpec job) {
    return entity(user(job.getGroup(), RequestClass.userOf(job.getOwner())));
  }

  /** The name under which a user has a figure; those without a group are of one group. */
  public static String user(String group, String user) {
    return (group.isEmpty() ? NO_GROUP : group) + ":" + user;
  }

  /** Name of the entity for {@code group:user}. */
  public static String entity(String user) {
    return PREFIX + user;
  }

  /** Whether an entity is one of these, and not one of a fair share. */
  public static boolean is(String entity) {
    return entity.startsWith(PREFIX);
  }

  /** Its {@code group:user}. */
  public static String user(String entity) {
    return entity.substring(PREFIX.length());
  }

  /** Its group. */
  public static String group(String entity) {
    return user(entity).split(":", 2)[0];
  }

  /** Thousandths of a figure's charge. */
  public static long thousandths(long more) {
    return Math.round(more / (MILLIONTHS / 1000));
  }

  /** The figure of an entity that has used so much. */
  public static double figure(long milli) {
    return (milli - FadedUsage.LEAST_MILLI) / MILLIONTHS;
  }

  /** What an entity has used whose figure is this. */
  public static long milli(double figure) {
    double more = Math.min(FadedUsage.MOST_MILLI, figure * MILLIONTHS);
    return FadedUsage.plus(FadedUsage.LEAST_MILLI, Math.round(more));
  }

  /** What so much more of a figure is. */
  public static long more(long figure) {
    return figure * (long) MILLIONTHS;
  }

  /** Figures of a file: a line with the weekday, then {@code group:user figure}. */
  public static Map<String, Double> read(String text) {
    Map<String, Double> figures = new LinkedHashMap<>();
    read(text, figures);
    return figures;
  }

  /**
   * The same.
   *
   * @return lines that are no user with a figure, from 1
   */
  public static List<Integer> read(String text, Map<String, Double> figures) {
    List<Integer> wrong = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 1; i < lines.size(); i++) {
      String[] words = lines.get(i).strip().split("\\s+");
      if (words.length >= 2 && words[1].matches("\\d{1,15}(\\.\\d{0,15})?")) {
        figures.put(words[0], Double.parseDouble(words[1]));
      } else if (!lines.get(i).isBlank()) {
        wrong.add(i + 1);
      }
    }
    return wrong;
  }
}
