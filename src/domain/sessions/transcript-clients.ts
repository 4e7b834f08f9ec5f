const clients: ReadonlySet<string> = new Set(['claude', 'codex']);

/** Whether the client writes its conversations to files that Quarterdeck understands. */
export function readsTranscriptsOf(client: string | undefined): boolean {
	return client !== undefined && clients.has(client);
}
