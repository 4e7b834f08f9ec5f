import {AbortError, isServiceError, RejectedError} from '../../api/errors.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import {exponentialDelay} from '../../domain/backoff.ts';
import type {ServiceChanges} from '../../domain/running-service.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {Computers} from './computers.ts';
import type {Sessions} from './sessions.ts';

type ChangeFeedOptions = EngineParts & {
	readonly computers: Computers;
	readonly sessions: Sessions;
};

/** The setting that keeps the cursor from one start to the next. */
const lastCursor = 'changes.cursor';
/** Rest between two answers, ms: an agent that writes changes its session many times a second. */
const rest = 250;
const retryDelays = {first: 500, max: 30_000};

/**
 * Follows the changes of a service that offers them: what changes is read at once, and all else more rarely. Sessions
 * that others create there are added.
 */
export class ChangeFeed {
	readonly #options: ChangeFeedOptions;
	readonly #ending = new AbortController();
	#running = Promise.resolve();
	#cursor: number | undefined;
	#cancel = () => {};

	constructor(options: ChangeFeedOptions) {
		this.#options = options;
	}

	start(): void {
		const cursor = unlessStorageFails(() => this.#options.database.settings.get(lastCursor));
		if (typeof cursor === 'number') this.#cursor = cursor;
		this.#running = this.#follow();
	}

	async stop(): Promise<void> {
		this.#ending.abort();
		this.#cancel();
		await this.#running;
		this.#save();
	}

	#save(): void {
		const {safeWrite, database} = this.#options;
		if (this.#cursor !== undefined) safeWrite(() => database.settings.put(lastCursor, this.#cursor));
	}

	async #follow(): Promise<void> {
		const {service} = this.#options;
		const {signal} = this.#ending;
		let failures = 0;
		while (!signal.aborted) {
			try {
				const changes = await service.runningService.changes(this.#cursor ?? 0, {signal});
				failures = 0;
				this.#setFed(true);
				this.#apply(changes);
				await this.#wait(rest);
			} catch (error) {
				this.#setFed(false);
				if (error instanceof AbortError || error instanceof RejectedError) return;
				if (!isServiceError(error)) throw error;
				await this.#wait(exponentialDelay(failures++, retryDelays));
			}
		}
	}

	#setFed(isFed: boolean): void {
		this.#options.sessions.watcher.setFed(isFed);
		this.#options.computers.setFed(isFed);
	}

	#apply({cursor, sessions, addedIds, computerIds}: ServiceChanges): void {
		// What is known is being read anyway.
		const isFirst = this.#cursor === undefined;
		const {registry} = this.#options;
		const added = new Set(addedIds);
		registry.together(() => {
			for (const session of sessions) {
				const isKnown = registry.session(session.sessionId) !== undefined;
				if (isKnown ? !isFirst : added.has(session.sessionId)) this.#options.sessions.changed(session);
			}
		});
		const forgotten = unlessStorageFails(this.#options.database.computers.forgotten) ?? [];
		for (const id of computerIds.filter(one => !forgotten.includes(one))) {
			const isKnown = registry.current().computers.has(id);
			if (!isKnown) this.#options.computers.add(id, 'added');
			else if (!isFirst) this.#options.computers.refresh(id);
		}
		this.#cursor = cursor;
		// What is forgotten from now on isn't added again by a program that starts later.
		if (addedIds.length > 0 || computerIds.length > 0) this.#save();
	}

	#wait(ms: number): Promise<void> {
		if (this.#ending.signal.aborted) return Promise.resolve();
		return new Promise(resolve => {
			const cancel = this.#options.clock.after(ms, resolve);
			this.#cancel = () => {
				cancel();
				resolve();
			};
		});
	}
}
