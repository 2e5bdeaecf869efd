import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies a jar as it is in an image: without native libraries of other platforms than this one,
 * which is Linux with glibc; they are 200 MB for RocksDB alone. Those that stay are written to a
 * folder as well, so that what they need can be looked up. Nothing is compressed: a layer is, as a
 * whole, and that takes a quarter less than each class by itself.
 */
final class OnePlatform {
  private static final Pattern NATIVE = Pattern.compile("(?i).*\\.(so|dll|dylib|jnilib|a)");

  /** As RocksDB, and as the libraries for compression, say it. */
  private static final Map<String, List<String>> HERE =
      Map.of(
          "amd64", List.of("linux64.so", "linux/amd64/", "linux/x86_64/", "linux_x86_64", "epoll_x86_64"),
          "aarch64", List.of("linux-aarch64.so", "linux/aarch64/", "linux_aarch_64", "epoll_aarch_64"));

  private OnePlatform() {}

  public static void main(String[] args) throws IOException {
    List<String> here = HERE.get(System.getProperty("os.arch"));
    if (here == null) {
      throw new IllegalArgumentException("no image for " + System.getProperty("os.arch") + ": only for " + HERE.keySet());
    }
    Path folder = Files.createDirectories(Path.of(args[2]));
    try (ZipFile jar = new ZipFile(args[0]);
        OutputStream file = Files.newOutputStream(Path.of(args[1]));
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        boolean isNative = NATIVE.matcher(entry.getName()).matches();
        if (isNative && here.stream().noneMatch(entry.getName().toLowerCase()::contains)) {
          continue;
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        copy.setMethod(ZipEntry.STORED);
        copy.setSize(entry.getSize());
        copy.setCrc(entry.getCrc());
        out.putNextEntry(copy);
        try (InputStream in = jar.getInputStream(entry)) {
          in.transferTo(out);
        }
        out.closeEntry();
        if (isNative) {
          try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, folder.resolve(Path.of(entry.getName()).getFileName()));
          }
        }
      }
    }
  }
}
