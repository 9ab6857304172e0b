package io.millrace.images;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * {@code ImageMain DISTRIBUTION BASE FOLDER oci|docker VERSION KIND...}: what {@code ./millrace
 * image} runs, whose libraries are in no distribution.
 */
public final class ImageMain {

  private static final int FIXED = 5;

  private ImageMain() {}

  public static void main(String[] args) throws InterruptedException {
    int status = 0;
    try {
      run(args);
    } catch (IOException e) {
      System.err.println("millrace image: " + e.getMessage());
      status = 1;
    } catch (ExecutionException e) {
      System.err.println("millrace image: " + e.getCause());
      status = 1;
    }
    System.exit(status);
  }

  private static void run(String... args)
      throws IOException, InterruptedException, ExecutionException {
    if (args.length <= FIXED) {
      throw new IOException("start this through ./millrace image");
    }
    List<ImageKind> kinds = new ArrayList<>();
    for (String name : Arrays.copyOfRange(args, FIXED, args.length)) {
      kinds.add(
          ImageKind.of(name)
              .orElseThrow(() -> new IOException("there is no image '" + name + "'")));
    }
    ImageWriter writer =
        new ImageWriter(Path.of(args[0]), Path.of(args[2]), args[3].equals("oci"), args[4]);
    writer.write(Path.of(args[1]), kinds, System.out::println);
  }
}
