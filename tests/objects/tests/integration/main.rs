//! Object storage: the client, backups and workers against an S3 server in this process, which fails when it is told to.

mod backup;
mod objects;
mod server;
mod support;
mod worker;
