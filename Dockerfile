# Builds the program and puts it alone into a small image.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked && strip target/dist/lopper

FROM debian:bookworm-slim
RUN useradd --create-home --uid 1000 lopper && mkdir /data && chown lopper /data
COPY --from=build /src/target/dist/lopper /usr/local/bin/lopper
USER lopper
ENV LOPPER_DATA=/data LOPPER_LISTEN=0.0.0.0:7700
VOLUME /data
EXPOSE 7700
ENTRYPOINT ["lopper"]
CMD ["serve"]
