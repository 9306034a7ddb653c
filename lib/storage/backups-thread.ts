/** The thread that cleans backups; see cleanBackups. */
import { parentPort, workerData } from "node:worker_threads";
import { cleanHere } from "#lib/storage/backups.ts";

parentPort?.postMessage(await cleanHere(workerData.folder, workerData.cleaning));
