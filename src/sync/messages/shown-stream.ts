import type {Stream, StreamStore} from '../../state/stream.ts';

/** The stream of an open session in the store, unless a later follower of the session has replaced it. */
export class ShownStream {
	readonly #streams: StreamStore;
	readonly #sessionId: string;
	#stream: Stream | undefined;

	constructor(streams: StreamStore, sessionId: string) {
		this.#streams = streams;
		this.#sessionId = sessionId;
	}

	put(stream: Stream): void {
		this.#stream = stream;
		this.#streams.setState(({open}) => ({open: new Map(open).set(this.#sessionId, stream)}));
	}

	remove(): void {
		const {open} = this.#streams.getState();
		if (open.get(this.#sessionId) !== this.#stream) return;
		const rest = new Map(open);
		rest.delete(this.#sessionId);
		this.#streams.setState({open: rest});
	}
}
