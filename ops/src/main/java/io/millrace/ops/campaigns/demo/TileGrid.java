package io.millrace.ops.campaigns.demo;

import io.millrace.ops.campaigns.CampaignOwner;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * A part of the Mandelbrot set, cut into square tiles: the script that computes one, and the
 * picture that they make. A tile's file has a line for each row of points: after how many steps
 * each of them leaves, and 0 for one that stays.
 *
 * @param folder of the tiles, into which the tasks write
 * @param side points of a tile in a row
 */
record TileGrid(Path folder, int columns, int rows, int side) {

  private static final int POINTS = 480_000;
  private static final int SIDE_MIN = 8;
  private static final int SIDE_MAX = 64;
  private static final int STEPS = 400;
  private static final double WIDTH = 0.0115;
  private static final double LEFT = -0.7512;
  private static final double MIDDLE = 0.1035;

  /** As many tiles as there are tasks, in a rectangle that is a little wider than high. */
  static TileGrid of(Path folder, int tasks) {
    int columns = 1;
    double wish = Math.sqrt(tasks * 1.25);
    for (int i = 1; i <= tasks; i++) {
      if (tasks % i == 0 && Math.abs(i - wish) < Math.abs(columns - wish)) {
        columns = i;
      }
    }
    int side = (int) Math.ceil(Math.sqrt((double) POINTS / tasks));
    return new TileGrid(
        folder, columns, tasks / columns, Math.max(SIDE_MIN, Math.min(SIDE_MAX, side)));
  }

  int width() {
    return columns * side;
  }

  int height() {
    return rows * side;
  }

  /** Beside the tiles: who may write a tile must not write what others run. */
  Path script() {
    return folder.resolveSibling("tile.sh");
  }

  Path tile(int task) {
    return folder.resolve("tile-" + task);
  }

  /** Writes the script, and makes the folder in which its owner's tasks leave their tiles. */
  void writeScript(CampaignOwner owner) throws IOException {
    owner.give(folder);
    String text =
        """
        #!/bin/sh
        # One tile of the Mandelbrot set: the argument says which.
        set -e
        sleep 1 # long enough for a local job to come
        awk -v task="$1" 'BEGIN {
          columns = %d; side = %d; height = %d; step = %s; most = %d
          left = task %% columns * side; top = int(task / columns) * side
          for (row = 0; row < side; row++) {
            y = %s + (height / 2 - top - row) * step
            line = ""
            for (column = 0; column < side; column++) {
              x = %s + (left + column) * step
              a = b = n = aa = bb = 0
              while (n < most && aa + bb < 4) {
                b = 2 * a * b + y; a = aa - bb + x
                aa = a * a; bb = b * b; n++
              }
              line = line (n == most ? 0 : n) " "
            }
            print line
          }
        }' >"part-$PBS_JOBID"
        # A tile is there in whole or not at all, however often it is tried.
        mv "part-$PBS_JOBID" "tile-$1"
        """
            .formatted(
                columns,
                side,
                height(),
                String.format(Locale.ROOT, "%.12g", WIDTH / width()),
                STEPS,
                MIDDLE,
                LEFT);
    Files.writeString(script(), text);
    Files.setPosixFilePermissions(script(), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * Puts the tiles together.
   *
   * @throws IOException naming the tile that is missing or has another shape
   */
  BufferedImage read(CampaignOwner owner) throws IOException {
    owner.takeBack(folder);
    BufferedImage image = new BufferedImage(width(), height(), BufferedImage.TYPE_INT_RGB);
    for (int task = 0; task < columns * rows; task++) {
      List<String> lines = lines(owner, task);
      if (lines.size() != side) {
        throw new IOException(tile(task) + " has " + lines.size() + " lines, not " + side);
      }
      for (int row = 0; row < side; row++) {
        int[] points = points(lines.get(row), tile(task));
        for (int column = 0; column < side; column++) {
          int x = task % columns * side + column;
          image.setRGB(x, task / columns * side + row, colour(points[column]));
        }
      }
    }
    return image;
  }

  private List<String> lines(CampaignOwner owner, int task) throws IOException {
    int bytesOfPoint = Integer.toString(STEPS).length() + 1;
    try {
      return owner.lines(tile(task), side * (side * bytesOfPoint + 1));
    } catch (NoSuchFileException e) {
      throw new IOException("tile " + task + " is missing: " + tile(task), e);
    }
  }

  private int[] points(String line, Path file) throws IOException {
    String[] words = line.strip().split(" ");
    if (words.length != side) {
      throw new IOException(file + " has " + words.length + " points in a row, not " + side);
    }
    int[] points = new int[side];
    try {
      for (int i = 0; i < side; i++) {
        points[i] = Integer.parseInt(words[i]);
      }
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds no tile: a point is no number", e);
    }
    return points;
  }

  /** Black for what stays; otherwise from blue over white to orange and back, by the steps. */
  static int colour(int steps) {
    if (steps == 0) {
      return 0;
    }
    double turn = 2 * Math.PI * Math.sqrt(steps) / 9;
    return wave(turn) << 16 | wave(turn - 0.6) << 8 | wave(turn - 1.4);
  }

  private static int wave(double turn) {
    return (int) Math.round(127.5 - 127.5 * Math.cos(turn));
  }

  /** Writes the picture as PNG, which every browser shows. */
  void write(BufferedImage image, Path file) throws IOException {
    // No display is asked for, and no file is needed in between.
    ImageIO.setUseCache(false);
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("this Java writes no PNG");
    }
  }
}
