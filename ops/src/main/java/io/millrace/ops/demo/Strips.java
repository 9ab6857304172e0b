package io.millrace.ops.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A view of the Mandelbrot set, cut into strips: the script that computes one, and the picture that
 * they make. Each output file holds one line for each row of points, numbers 0 to 255.
 */
record Strips(Path folder, int count) {

  private static final int WIDTH = 468;
  private static final int ROWS = 12;
  private static final int COLUMNS_SHOWN = 78;
  private static final String SHADES = " .,:;=+xoO#%@";
  private static final int POINT_MAX = 255;

  Path script() {
    return folder.resolve("strip.sh");
  }

  Path output(int strip) {
    return folder.resolve(String.format(Locale.ROOT, "strip-%02d.txt", strip));
  }

  Path picture() {
    return folder.resolve("mandelbrot.pgm");
  }

  void writeScript() throws IOException {
    Files.createDirectories(folder);
    String text =
        """
        #!/bin/sh
        #PBS -N strip
        #PBS -l select=1:ncpus=1
        #PBS -S /bin/sh
        #PBS -j oe
        # One strip of the Mandelbrot set: the variable STRIP says which.
        exec awk -v strip="$STRIP" 'BEGIN {
          width = %d; rows = %d; strips = %d; most = 400
          for (row = 0; row < rows; row++) {
            y = -1.15 + 2.3 * (strip * rows + row) / (strips * rows - 1)
            line = ""
            for (column = 0; column < width; column++) {
              x = -2.1 + 2.8 * column / (width - 1)
              a = b = n = aa = bb = 0
              while (n < most && aa + bb < 4) {
                b = 2 * a * b + y; a = aa - bb + x
                aa = a * a; bb = b * b; n++
              }
              line = line (n == most ? 0 : 30 + (n * 9) %% 226) " "
            }
            print line
          }
        }'
        """
            .formatted(WIDTH, ROWS, count);
    Files.writeString(script(), text);
  }

  /**
   * Reads all strips.
   *
   * @throws IOException naming the strip whose file is missing or has another shape
   */
  List<int[]> read() throws IOException {
    List<int[]> rows = new ArrayList<>();
    for (int strip = 0; strip < count; strip++) {
      List<String> lines = Files.readAllLines(output(strip));
      if (lines.size() != ROWS) {
        throw new IOException(output(strip) + " has " + lines.size() + " lines, not " + ROWS);
      }
      for (String line : lines) {
        rows.add(row(line, output(strip)));
      }
    }
    return rows;
  }

  private static int[] row(String line, Path file) throws IOException {
    String[] points = line.strip().split(" ");
    int[] row = new int[points.length];
    try {
      for (int i = 0; i < points.length; i++) {
        row[i] = Integer.parseInt(points[i]);
      }
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds no picture: " + line, e);
    }
    if (row.length != WIDTH) {
      throw new IOException(file + " has " + row.length + " points in a row, not " + WIDTH);
    }
    return row;
  }

  /** Portable grey map, which every picture viewer opens. */
  void writePicture(List<int[]> rows) throws IOException {
    StringBuilder text = new StringBuilder("P2\n" + WIDTH + " " + rows.size() + "\n255\n");
    for (int[] row : rows) {
      for (int point : row) {
        text.append(point).append('\n');
      }
    }
    Files.writeString(picture(), text);
  }

  /** The picture in characters, each twice as high as wide; points of the set are dark. */
  static List<String> shown(List<int[]> rows) {
    int step = WIDTH / COLUMNS_SHOWN;
    List<String> lines = new ArrayList<>();
    for (int top = 0; top + 2 * step <= rows.size(); top += 2 * step) {
      StringBuilder line = new StringBuilder();
      for (int left = 0; left + step <= WIDTH; left += step) {
        line.append(shade(rows, top, left, step));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static char shade(List<int[]> rows, int top, int left, int step) {
    long sum = 0;
    int inside = 0;
    for (int y = top; y < top + 2 * step; y++) {
      for (int x = left; x < left + step; x++) {
        int point = rows.get(y)[x];
        sum += point;
        inside += point == 0 ? 1 : 0;
      }
    }
    int points = 2 * step * step;
    if (inside * 2 > points) {
      return SHADES.charAt(SHADES.length() - 1);
    }
    return SHADES.charAt((int) (sum * (SHADES.length() - 2) / ((long) points * POINT_MAX)));
  }
}
