import {randomUUID} from 'node:crypto';

/** The id of a request in its client's protocol. */
type ClientId = string | number;

/**
 * The requests of a client that wait for the user, under ids of ours. While one is open, no other may have its client's
 * id: the client could take the answer to the one for an answer to the other.
 */
export class OpenRequests<Request> {
	readonly #open = new Map<string, {readonly clientId: ClientId; readonly request: Request}>();

	/** Opens a request and returns our id of it. */
	open(clientId: ClientId, request: Request): string {
		const id = randomUUID();
		this.#open.set(id, {clientId, request});
		return id;
	}

	close(id: string): {readonly clientId: ClientId; readonly request: Request} | undefined {
		const open = this.#open.get(id);
		this.#open.delete(id);
		return open;
	}

	/** Closes the request with this id of the client, be it a number or the same digits; undefined if none is open. */
	withdraw(clientId: ClientId): {readonly id: string; readonly request: Request} | undefined {
		for (const [id, {clientId: other, request}] of this.#open)
			if (`${other}` === `${clientId}`) {
				this.#open.delete(id);
				return {id, request};
			}
		return undefined;
	}

	/** Closes all requests and returns their ids. */
	closeAll(): readonly {readonly id: string; readonly clientId: ClientId}[] {
		const all = [...this.#open].map(([id, {clientId}]) => ({id, clientId}));
		this.#open.clear();
		return all;
	}
}
