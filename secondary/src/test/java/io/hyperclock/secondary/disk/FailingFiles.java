/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Files of the default file system, where a step throws an error if told. */
final class FailingFiles extends FileSystemProvider {
  /** What may fail. */
  enum Step {
    NONE,
    /** The second look at the attributes of a file that was made. */
    LOOK_AGAIN,
    LOCK,
    WRITE
  }

  /** What was opened. */
  final List<AsynchronousFileChannel> opened = new ArrayList<>();

  private final FileSystem system = new Around();
  private Step fails = Step.NONE;

  void fail(Step step) {
    fails = step;
  }

  private void reach(Step step) {
    if (fails == step) {
      throw new InternalError("on purpose");
    }
  }

  /** The same path of this file system; it is its own real path. */
  Path path(Path under) {
    return (Path)
        Proxy.newProxyInstance(
            Path.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getFileSystem" -> system;
                  case "toRealPath" -> proxy;
                  case "equals" -> proxy == arguments[0];
                  case "resolve" -> path(under.resolve((String) arguments[0]));
                  default -> method.invoke(under, arguments);
                });
  }

  private static Path under(Path path) {
    return Path.of(path.toString());
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    A attributes = Files.readAttributes(under(path), type, options);
    if (attributes.isRegularFile()) {
      reach(Step.LOOK_AGAIN);
    }
    return attributes;
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    AsynchronousFileChannel channel =
        new Channel(AsynchronousFileChannel.open(under(path), options, executor, attributes));
    opened.add(channel);
    return channel;
  }

  private final class Channel extends AsynchronousFileChannel {
    private final AsynchronousFileChannel under;

    Channel(AsynchronousFileChannel under) {
      this.under = under;
    }

    @Override
    public long size() throws IOException {
      return under.size();
    }

    @Override
    public AsynchronousFileChannel truncate(long size) throws IOException {
      return under.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      under.force(metaData);
    }

    @Override
    public <A> void lock(
        long position,
        long size,
        boolean shared,
        A attachment,
        CompletionHandler<FileLock, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      reach(Step.LOCK);
      return under.tryLock(position, size, shared);
    }

    @Override
    public <A> void read(
        ByteBuffer target,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> read(ByteBuffer target, long position) {
      return under.read(target, position);
    }

    @Override
    public <A> void write(
        ByteBuffer source,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> write(ByteBuffer source, long position) {
      reach(Step.WRITE);
      return under.write(source, position);
    }

    @Override
    public boolean isOpen() {
      return under.isOpen();
    }

    @Override
    public void close() throws IOException {
      under.close();
    }
  }

  // What opening a device does not ask for:

  @Override
  public String getScheme() {
    return "failing";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.delete(under(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isSameFile(Path path, Path other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isHidden(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  private final class Around extends FileSystem {
    @Override
    public FileSystemProvider provider() {
      return FailingFiles.this;
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return Set.of("basic");
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(String first, String... more) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }
}
