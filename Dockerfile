# Builds the program and puts it alone into a small image. It runs without rights, and its root may be read-only.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked && strip target/dist/lopper

FROM debian:bookworm-slim
RUN useradd --create-home --uid 1000 lopper && mkdir /data && chown lopper /data
# Certificates, for object storage and archives behind URLs.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /src/target/dist/lopper /usr/local/bin/lopper
COPY deploy/healthy /usr/local/bin/healthy
USER lopper
WORKDIR /data
ENV LOPPER_DATA=/data LOPPER_LISTEN=0.0.0.0:7700
VOLUME /data
EXPOSE 7700
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["healthy"]
ENTRYPOINT ["lopper"]
CMD ["serve"]
