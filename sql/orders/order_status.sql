/* ramknee:orders/order_status */
/* A customer's last order and its lines.  Each statement by itself reads what is committed; no lock is held from one to the next.
   The order is looked for in the index alone, then read by its key: see payment. */
CREATE PROCEDURE dbo.rk_order_status
    @w int,
    @d tinyint,
    @c int,
    @last varchar(16),
    @o int OUTPUT,
    @balance_cents bigint OUTPUT
AS
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @n int, @skip int, @found int = @c, @carrier tinyint, @entry datetime;
IF @found = 0
BEGIN
    SELECT @n = COUNT(*) FROM dbo.customer WHERE c_w_id = @w AND c_d_id = @d AND c_last = @last;
    IF @n = 0
    BEGIN
        THROW 50010, N'ramknee: no customer has this name', 1;
    END;
    SET @skip = (@n - 1) / 2;
    SELECT @found = c_id
    FROM dbo.customer
    WHERE c_w_id = @w AND c_d_id = @d AND c_last = @last
    ORDER BY c_first, c_id
    OFFSET @skip ROWS FETCH NEXT 1 ROWS ONLY;
END;
SELECT @balance_cents = CONVERT(bigint, c_balance * 100) FROM dbo.customer WHERE c_w_id = @w AND c_d_id = @d AND c_id = @found;
SELECT TOP (1) @o = o_id FROM dbo.orders WHERE o_w_id = @w AND o_d_id = @d AND o_c_id = @found ORDER BY o_id DESC;
SELECT @entry = o_entry_d, @carrier = o_carrier_id FROM dbo.orders WHERE o_w_id = @w AND o_d_id = @d AND o_id = @o;
SELECT ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d, @entry AS o_entry_d, @carrier AS o_carrier_id
FROM dbo.order_line
WHERE ol_w_id = @w AND ol_d_id = @d AND ol_o_id = @o
ORDER BY ol_number;
RETURN 0;
