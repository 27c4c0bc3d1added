"""The kernels in CUDA C, for float32. NOT YET TRIED ON A GPU: tests run this text on the CPU, by a C++ compiler.

Tensors with strides are (outer, row, column), the last stride 1: a pointer, then the strides of outer and row.
"""

# names and block sizes; in the second kind the threads of a block work together
ELEMENTWISE = ("gates", "new_state", "state_gradients", "gate_gradients", "attention_gradients")
BY_SENTENCE = ("attention",)
THREADS, LANES = 256, 32
SHARED_BYTES = 48 * 1024  # that every GPU has for a block

SOURCE = r"""
#define PLACE \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= count) return; \
    int column = i % d, row = i / d % rows, outer = i / d / rows;
#define AT(name) (name + (long long)outer * name##_outer + (long long)row * name##_row + column)
#define STRIDED(name) float *name, int name##_outer, int name##_row

extern "C" __global__ void gates(
    STRIDED(gate), STRIDED(mask), STRIDED(state), STRIDED(more), int add_more, STRIDED(reset_state),
    int rows, int d, int count)
{
    PLACE
    float *gate_at = AT(gate);
    float reset = gate_at[0], update = gate_at[d];
    if (add_more) {
        reset += AT(more)[0];
        update += AT(more)[d];
    }
    reset = 1.0f / (1.0f + expf(-reset));
    update = (AT(mask) - column)[0] / (1.0f + expf(-update));
    gate_at[0] = reset;
    gate_at[d] = update;
    *AT(reset_state) = reset * *AT(state);
}

extern "C" __global__ void new_state(
    STRIDED(candidate), STRIDED(update), STRIDED(state), STRIDED(out), int rows, int d, int count)
{
    PLACE
    float proposal = tanhf(*AT(candidate)), before = *AT(state);
    *AT(candidate) = proposal;
    *AT(out) = before + *AT(update) * (proposal - before);
}

extern "C" __global__ void state_gradients(
    STRIDED(grad), STRIDED(update), STRIDED(candidate), STRIDED(state), STRIDED(grad_update), STRIDED(grad_candidate),
    int rows, int d, int count)
{
    PLACE
    float g = *AT(grad), u = *AT(update), c = *AT(candidate);
    *AT(grad_candidate) = g * u * (1.0f - c * c);
    *AT(grad_update) = (c - *AT(state)) * g * u * (1.0f - u);
}

extern "C" __global__ void gate_gradients(
    STRIDED(grad_reset_state), STRIDED(grad), STRIDED(reset), STRIDED(update), STRIDED(state), STRIDED(more),
    int add_more, STRIDED(grad_reset), STRIDED(before), int rows, int d, int count)
{
    PLACE
    float through = *AT(grad_reset_state), r = *AT(reset);
    float sum = *AT(grad) * (1.0f - *AT(update)) + through * r;
    *AT(grad_reset) = through * *AT(state) * r * (1.0f - r);
    *AT(before) = add_more ? sum + *AT(more) : sum;
}

extern "C" __global__ void attention_gradients(
    STRIDED(grad_weights), STRIDED(weights), const float *keys, STRIDED(query), const float *score, STRIDED(grad_query),
    float *grad_keys, STRIDED(grad_score), int length, int rows, int d, int count)
{
    PLACE
    const float *g = AT(grad_weights) - column, *w = AT(weights) - column;
    float mean = 0.0f, of_query = 0.0f, of_score = 0.0f, q = *AT(query), s = score[column];
    for (int t = 0; t < length; t++) mean += w[t] * g[t];
    for (int t = 0; t < length; t++) {
        long long at = ((long long)row * length + t) * d + column;
        float hidden = tanhf(keys[at] + q), energy = w[t] * (g[t] - mean);
        float of_key = energy * s * (1.0f - hidden * hidden);
        grad_keys[at] += of_key;
        of_query += of_key;
        of_score += energy * hidden;
    }
    *AT(grad_query) = of_query;
    *AT(grad_score) += of_score;
}

extern __shared__ float shared[];

extern "C" __global__ void attention(
    const float *keys, STRIDED(query), const float *score, const unsigned char *mask, STRIDED(weights),
    int length, int d)
{
    int row = blockIdx.x, outer = 0, column = 0;
    int lanes = blockDim.x < 32 ? 1 : 32;
    int lane = threadIdx.x % lanes, group = threadIdx.x / lanes, groups = blockDim.x / lanes;
    float *partial = shared, *energy = shared + length * lanes;
    const float *q = AT(query);
    for (int t = group; t < length; t += groups) {
        const float *key = keys + ((long long)row * length + t) * d;
        float sum = 0.0f;
        for (int c = lane; c < d; c += lanes) sum += score[c] * tanhf(key[c] + q[c]);
        partial[t * lanes + lane] = sum;
    }
    __syncthreads();
    for (int t = threadIdx.x; t < length; t += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < lanes; k++) sum += partial[t * lanes + k];
        energy[t] = mask[row * length + t] ? sum : -3.0e38f;
    }
    __syncthreads();
    float largest = -3.0e38f, total = 0.0f;
    for (int t = 0; t < length; t++) largest = fmaxf(largest, energy[t]);
    for (int t = 0; t < length; t++) total += expf(energy[t] - largest);
    for (int t = threadIdx.x; t < length; t += blockDim.x) AT(weights)[t] = expf(energy[t] - largest) / total;
}
"""
